// A card of a person's hand that can be used in several ways: they are lit among the buttons, and the first has the focus.
document.addEventListener("click", (event) => {
  const piece = event.target.closest(".board [data-piece]");
  if (!piece) return;
  event.preventDefault();
  const buttons = [...piece.closest(".board").querySelectorAll("button.option")];
  const ways = buttons.filter((button) => button.value.split(" ")[1] === piece.dataset.piece);
  for (const button of buttons) button.classList.toggle("lit", ways.includes(button));
  ways[0]?.focus();
});
