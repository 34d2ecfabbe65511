// A card of a person's hand, or a place on the board, that can be used in several ways: they are lit among the buttons, and the first has the focus.
document.addEventListener("click", (event) => {
  const piece = event.target.closest(".board :is([data-piece], [data-ways])");
  if (!piece) return;
  event.preventDefault();
  const { piece: name, ways } = piece.dataset;
  const buttons = [...piece.closest(".board").querySelectorAll("button.option")];
  const found = buttons.filter((button) => (ways ? ways.split("|").includes(button.value) : button.value.split(" ")[1] === name));
  for (const button of buttons) button.classList.toggle("lit", found.includes(button));
  found[0]?.focus();
});
