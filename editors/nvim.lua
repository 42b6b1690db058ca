-- Starts a language server of object-lsp for the files of its languages. Neovim 0.8 or later:
--     :luafile editors/nvim.lua
-- `OBJECT_LSP` names the program of the server.

local server = vim.env.OBJECT_LSP or "lambda_server"
local patterns = { "*.lambda" }

vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
  pattern = patterns,
  callback = function(args)
    vim.bo[args.buf].commentstring = "// %s"
    vim.lsp.start({ name = "object-lsp", cmd = { server }, root_dir = vim.fn.getcwd() })
  end,
})
