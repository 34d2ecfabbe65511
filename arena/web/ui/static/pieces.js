// A person at a table may click a card of the hand: where it can be used in one way only it is, else its ways are lit among the buttons.
document.addEventListener("click", (event) => {
  const piece = event.target.closest(".board [data-piece]");
  if (!piece) return;
  const buttons = [...piece.closest(".board").querySelectorAll("button.option")];
  const ways = buttons.filter((button) => button.value.split(" ")[1] === piece.dataset.piece);
  for (const button of buttons) button.classList.toggle("lit", ways.length > 1 && ways.includes(button));
  if (ways.length === 1) ways[0].click();
  else ways[0]?.focus();
});
