-- Pandoc filter of note.py: a paragraph that begins with **Theorem** opens a theorem, *Proof.* a proof, ∎ or □ closes it.
-- Headings close what is open. Images fit the page, tables have columns as wide as what they hold.

local MARKS = {["Theorem"] = "theorem", ["Lemma"] = "lemma", ["Statement"] = "statement"}

local function latex(text) return pandoc.RawBlock("latex", text) end

-- the environment that a paragraph opens, and the paragraph without its first word
local function opened(block)
  if block.t ~= "Para" then return nil end
  local first = block.content[1]
  local word = pandoc.utils.stringify(first)
  if first.t == "Strong" and MARKS[word:match("^%a+")] then
    local rest = block.content:clone()
    rest:remove(1)
    while rest[1] and (rest[1].t == "Space" or rest[1].t == "SoftBreak") do rest:remove(1) end
    local title = ""
    local said = rest[1] and pandoc.utils.stringify(rest[1]) or ""
    local second = rest[2] and pandoc.utils.stringify(rest[2]) or ""
    if said == "(" and rest[2].t == "Code" then        -- (`volume-order`).
      title = second
      for _ = 1, 3 do if rest[1] then rest:remove(1) end end
    elseif said:match("^%(%a[%w-]*%)%.?$") then        -- (best-value).
      title = said:gsub("[().]", "")
      rest:remove(1)
    end
    while rest[1] and (rest[1].t == "Space" or rest[1].t == "SoftBreak") do rest:remove(1) end
    return MARKS[word:match("^%a+")], title, rest
  end
  if first.t == "Emph" and word:match("^Proof") then
    return "proof", word:gsub("%.$", ""), pandoc.List({table.unpack(block.content, 2)})
  end
  return nil
end

local function ends(block)  -- does a proof end here? the mark is taken out
  local found = false
  local cleaned = block:walk({
    Str = function(word)
      if word.text:match("∎") then found = true; return pandoc.Str((word.text:gsub("∎", ""))) end
    end,
    Math = function(formula)
      if formula.text:match("^\\square$") then found = true; return pandoc.Str("") end
    end,
  })
  return cleaned, found
end

function Pandoc(document)
  local out, open = pandoc.List(), nil
  local function close()
    if open then out:insert(latex("\\end{" .. open .. "}")) end
    open = nil
  end
  for _, block in ipairs(document.blocks) do
    local kind, title, rest = opened(block)
    if kind or block.t == "Header" then close() end
    if block.t == "Header" and not block.identifier:match("%-%-top$") then
      block.identifier = pandoc.utils.stringify(document.meta.page) .. "--" .. block.identifier
    end
    if kind then
      open = kind
      out:insert(latex("\\begin{" .. kind .. "}" .. (title ~= "" and "[" .. title .. "]" or "")))
      block = pandoc.Para(rest)
    end
    if block.t == "Table" or block.t == "CodeBlock" or block.t == "HorizontalRule" then
      if open and open ~= "proof" then close() end
    end
    local cleaned, done = block, false
    if block.t ~= "CodeBlock" then cleaned, done = ends(block) end
    out:insert(cleaned)
    if done and open == "proof" then close() end
  end
  close()
  document.blocks = out
  return document
end

function Table(table_)  -- columns as wide as their longest cells, within limits
  local widths, total = {}, 0
  local function look(row)
    for place, cell in ipairs(row.cells) do
      local length = math.min(60, #pandoc.utils.stringify(cell.contents))
      widths[place] = math.max(widths[place] or 6, length + 2)
    end
  end
  for _, row in ipairs(table_.head.rows) do look(row) end
  for _, body in ipairs(table_.bodies) do
    for _, row in ipairs(body.body) do look(row) end
  end
  for _, width in ipairs(widths) do total = total + width end
  for place, spec in ipairs(table_.colspecs) do table_.colspecs[place] = {spec[1], 0.98 * widths[place] / total} end
  return table_
end

function Image(image)
  image.attributes.width, image.attributes.height = "80%", "70%"
  return image
end
