// Minimax with alpha-beta over a ranking. A level is one stone; at each, only the best moves of the ranking are tried. At the
// last one a move is worth what the board is worth after it, where the agent can tell, or else what the ranking says. Squares that were tried are marked for the rest of the turn, so that each set of
// stones is searched once. src/tengen/play/agents/minimax.py does the same for rankings in Python.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "agent_board.hpp"
#include "meter.hpp"

namespace tengen {

using Ranking = std::function<void(AgentBoard&, Mover, std::vector<Ranked>&)>;
using Evaluation = std::function<double(AgentBoard&, int colour)>;

class AgentSearch {
public:
    static constexpr double win = 1e300;  // at once; later wins are worth less

    struct Result {
        std::vector<int> line;  // cells
        double value = 0;
        bool complete = false;
    };

    // Equal utilities are ordered by a hash of the square and the salt.
    AgentSearch(const AgentBoard& board, Ranking ranking, Evaluation evaluation, std::size_t top, std::uint64_t salt, Meter& meter)
        : board_(board), ranking_(std::move(ranking)), evaluation_(std::move(evaluation)), top_(top), meter_(meter) {
        order_.resize(std::size_t(board.cells()));
        for (int cell : board.squares()) order_[std::size_t(cell)] = tie_key(board.x(cell), board.y(cell), salt);
    }

    static std::uint64_t tie_key(int x, int y, std::uint64_t salt) {
        return mix(salt ^ (std::uint64_t(std::uint32_t(x)) << 32) ^ std::uint64_t(std::uint32_t(y)));
    }

    // The best line found; if cut short, of the first moves searched by then, or just the one that ranks first.
    Result run(Mover mover, int depth) {
        constexpr double endless = std::numeric_limits<double>::infinity();
        try {
            std::vector<int> line;
            search(mover, depth, -endless, endless, 0, {}, line);
            best_.complete = true;
        } catch (const Stopped&) {
        }
        return best_;
    }

private:
    // The value for the mover, and the line to it; nothing if every move is marked.
    std::optional<double> search(Mover mover, int depth, double alpha, double beta, int ply, std::vector<int> marked, std::vector<int>& line) {
        meter_.look();
        std::optional<double> best;
        std::vector<int> rest;
        for (const Ranked& move : candidates(mover, marked, ply)) {
            meter_.count();
            rest.clear();
            std::optional<double> value;
            board_.place(move.cell, mover.colour);
            if (board_.has_won(mover.colour)) {
                value = win / (1 + ply);
            } else if (board_.empty() == 0) {
                value = 0;
            } else if (depth == 1) {
                value = evaluation_ ? evaluation_(board_, mover.colour) : move.utility;
            } else if (const Mover next = board_.after(mover); next.colour == mover.colour) {
                value = search(next, depth - 1, alpha, beta, ply + 1, marked, rest);
            } else {
                value = search(next, depth - 1, -beta, -alpha, ply + 1, {}, rest);
                if (value) value = -*value;
            }
            board_.remove(move.cell);
            marked.push_back(move.cell);
            if (!value || (best && *value <= *best)) continue;
            best = value;
            line.assign(1, move.cell);
            line.insert(line.end(), rest.begin(), rest.end());
            if (ply == 0) best_ = {line, *value, false};
            alpha = std::max(alpha, *value);
            if (alpha >= beta) break;
        }
        return best;
    }

    std::vector<Ranked> candidates(Mover mover, const std::vector<int>& marked, int ply) {
        std::vector<Ranked> moves;
        ranking_(board_, mover, moves);
        std::erase_if(moves, [&](const Ranked& move) { return std::find(marked.begin(), marked.end(), move.cell) != marked.end(); });
        const auto middle = moves.begin() + std::ptrdiff_t(std::min(top_, moves.size()));
        std::partial_sort(moves.begin(), middle, moves.end(), [this](const Ranked& a, const Ranked& b) {
            return a.utility != b.utility ? a.utility > b.utility : order_[std::size_t(a.cell)] < order_[std::size_t(b.cell)];
        });
        moves.erase(middle, moves.end());
        if (ply == 0 && !moves.empty()) best_ = {{moves[0].cell}, moves[0].utility, false};
        return moves;
    }

    AgentBoard board_;
    Ranking ranking_;
    Evaluation evaluation_;  // perhaps none
    std::size_t top_;
    Meter& meter_;
    std::vector<std::uint64_t> order_;
    Result best_;
};

}  // namespace tengen
