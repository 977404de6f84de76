// Opens a file of the folder clients with the settings in the first message, and runs it once for each later
// message.
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
