// Opens a file of the folder clients with what the first message says, and runs it once for each message after it.
const [name] = process.argv.slice(2);
const { open } = await import(`../clients/${name}`);

let opened;
process.on('message', (message) => void answer(message));
process.once('disconnect', () => opened?.close?.());

async function answer(message) {
  if (opened) {
    process.send(await opened.run(message));
  } else {
    opened = await open(message);
    process.send('open');
  }
}
