// Starts the language server that the setting `object-lsp.command` names, for the languages of `package.json`.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const { contributes } = require("./package.json");

let client;

function activate() {
  const [command, ...args] = workspace.getConfiguration("object-lsp").get("command");
  const documentSelector = contributes.languages.map(({ id }) => ({ language: id }));
  client = new LanguageClient("object-lsp", "object-lsp", { command, args }, { documentSelector });
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
