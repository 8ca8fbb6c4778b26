// What the server says, in Chinese: refusals that one meets at this page, and what is known of games. {} stands for what differs
// each time, {0}, {1}, … for the same in that order. What is not in the list stays as the server has said it.

export const SENTENCES: readonly (readonly [english: string, chinese: string])[] = [
  // Parts of others
  ["black", "黑方"],
  ["white", "白方"],
  ["one stone", "一子"],
  ["1 stone", "1 子"],
  ["{} stones", "{0} 子"],
  ["line {}, column {}: {}", "第 {0} 行第 {1} 字：{2}"],
  ["node {}: {}", "節點 {0}：{1}"],

  // Moves
  ["{} is occupied by a {} stone", "{0} 已有{1}的棋子"],
  ["{} is off the board of {}", "{0} 不在 {1} 的棋盤上"],
  ["{}: the game is over, {} has won", "{0}：對局已結束，{1}獲勝"],
  ["{}: the game is over, the board is full", "{0}：對局已結束，棋盤已滿"],
  ["{}: {} has {} to place here, not {}", "{0}：{1}此處應下 {2}，而非 {3} 子"],
  ["{} at character {} is no square: write them like J10", "第 {1} 個字起的 {0} 不是座標：請寫成如 J10"],
  ["{} is no square: write a column letter and a row number, like J10", "{0} 不是座標：請寫欄的字母與列的數字，如 J10"],
  ["{} stands twice in {}", "{1} 中 {0} 出現兩次"],
  ["the move is empty: write squares like J10K11, or 'pass'", "沒有著手：請寫座標如 J10K11，或寫 pass"],
  ["both players have a winning row", "雙方都已連成一線"],
  ["{} plays {}, but it is {}'s turn", "{0}下了 {1}，但輪到{2}"],
  ["{} cannot have {} stones left to place here", "{0}此處不可能還有 {1} 子要下"],

  // Records and files
  ["this looks like no record; the formats are {}", "這不像是棋譜；可讀的格式有 {0}"],
  ["there is no record in this text", "這段文字中沒有棋譜"],
  ["this record is of {}, not {}", "這份棋譜的遊戲是 {0}，不是 {1}"],
  ["there is no such record on the desk", "桌上沒有這份棋譜"],
  ["there is no such collection on the desk", "桌上沒有這套棋譜"],
  ["this node is not there any more", "這個節點已不存在"],
  ["the beginning of a record cannot be moved or removed", "棋譜的開頭不能移動或刪除"],
  ["{} = {} is out of range: {} to {}", "{0} = {1} 超出範圍：應為 {2} 至 {3}"],

  // Games, analyses, proofs, puzzles
  ["the game is over", "對局已結束"],
  ["the game is over here", "對局在此已結束"],
  ["the game is at another move by now", "對局已進行到別的著手"],
  ["it is the turn of {}", "輪到 {0}"],
  ["no game is played here", "這裡沒有進行中的對局"],
  ["there is no move of a person to take back", "沒有可以收回的著手"],
  ["the game is over: there is nothing to analyse", "對局已結束，無可分析"],
  ["the game is over: there is nothing to solve", "對局已結束，無可求解"],
  ["the game is over: there is nothing to defend", "對局已結束，無可防守"],
  ["the game is over: there is nothing to prove", "對局已結束，無可證明"],
  ["{}: the solver knows p up to {} and k up to {}", "{0}：求解器只能處理 p 至多 {1}、k 至多 {2} 的遊戲"],
  ["{} analyses are waiting already", "已有 {0} 項分析在等候"],
  ["there is no proof yet", "還沒有證明"],
  ["there is no such puzzle", "沒有這樣的題目"],
  ["there is no puzzle {}", "沒有題目 {0}"],
  ["place {} stones", "請下 {0} 子"],

  // Sudoku
  ["a grid has 81 cells, not {}", "數獨盤面有 81 格，而非 {0} 格"],
  ["a complete grid is needed: {} cells are empty", "需要完整的盤面：還有 {0} 格空著"],
  ["{} has two {}s", "{0} 有兩個 {1}"],
  ["{} is no digit, dot or space: a grid is 81 digits, row by row", "{0} 不是數字、點或空格：盤面是逐列寫出的 81 個數字"],

  // What is known of games
  ["strategy stealing: q >= p", "策略偷取：q >= p"],
  ["k - p <= 3 is conjectured to be unfair", "k - p <= 3 時推測為不公平"],
  ["his first {} stones hold {} in a row", "黑方首手 {0} 子即可連成 {1} 子"],
  ["Black's {} stone leaves room, and White's first {} stones hold {} in a row", "黑方的 {0} 子擋不住，白方首手 {1} 子即連成 {2} 子"],
  ["Black's {} stones leave room, and White's first {} stones hold {} in a row", "黑方的 {0} 子擋不住，白方首手 {1} 子即連成 {2} 子"],
  ["his first stones in squares make more than p threats (Corollary 2)", "黑方首手排成方陣，威脅多於 p 個（推論 2）"],
  ["five in a row is solved", "五子連線已被解出"],
  ["three stones first are too many", "首手三子太多"],
  ["players of high rank have not been able to tell whom it favours", "高段棋手也說不出有利哪一方"],
  ["{}: neither side gets {} in a row, {} a move, on any board", "{0}：每手 {2}時，在任何棋盤上雙方都連不成 {1} 子"],
  ["Hales and Jewett's pairs", "Hales 與 Jewett 的配對"],
  ["Zetters' tiles, {} rows of {}", "Zetters 的拼塊（{0} 列，每列 {1} 格）"],
  ["Chiang, Wu and Lin's tiles {}, {} rows of {}", "Chiang、Wu 與 Lin 的拼塊 {0}（{1} 列，每列 {2} 格）"],
  ["a proof of {} {} was checked", "已檢驗 {0} 個節點的證明"],
  ["a proof of {} {} was checked, from {}: a stone more in the first move harms nobody who has it", "已檢驗 {2} 的 {0} 個節點的證明：首手多一子對自己無害"],
  [
    "{} against itself: Black won {}, drew {}, lost {}; {} of the points, between {} and {} with 95 % confidence",
    "{0} 自我對弈：黑方 {1} 勝 {2} 和 {3} 敗；得分率 {4}，95% 信賴區間為 {5} 至 {6}",
  ],
];
