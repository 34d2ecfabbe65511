// Comfort for forms, which work without it: how far an upload is, and a button that copies what is shown once.
function copy(button) {
  const code = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// The answer to an upload is a page: that of the bot, or this one again with what was wrong.
function arrive(form, request) {
  if (request.status < 400) {
    location.assign(request.responseURL);
    return;
  }
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const main = page.querySelector("main");
  if (!main) {
    form.submit();
    return;
  }
  document.querySelector("main").replaceWith(document.importNode(main, true));
  prepare(document);
  document.querySelector("[aria-invalid]")?.focus();
}

function upload(form) {
  const file = form.querySelector("[type=file]");
  const most = Number(form.dataset.most);
  file.addEventListener("change", () => {
    const large = most && file.files[0] && file.files[0].size > most;
    file.setCustomValidity(large ? form.dataset.large : "");
    file.reportValidity();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const bar = form.querySelector("progress");
    const button = form.querySelector("button");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "text/html");
    request.upload.addEventListener("progress", (sent) => {
      if (sent.lengthComputable) bar.value = (100 * sent.loaded) / sent.total;
    });
    request.addEventListener("load", () => arrive(form, request));
    request.addEventListener("error", () => form.submit());
    button.disabled = true;
    bar.hidden = false;
    request.send(new FormData(form));
  });
}

function prepare(root) {
  for (const button of root.querySelectorAll("[data-copy]")) copy(button);
  for (const form of root.querySelectorAll("form[data-upload]")) upload(form);
}

prepare(document);
document.addEventListener("fragment", (event) => prepare(event.target));
