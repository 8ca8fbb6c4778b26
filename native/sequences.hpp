// The Sequences agent of the Connect-k paper: a stone is worth what the whole board is worth after it.
//
// Every window scores the square of its stones, if they are of one colour. Threat windows are counted by marks, of each
// colour apart: one without a marked square counts, and marks all its empty squares. The board is scanned once; a stone that is
// tried changes only the windows through it, so just these and one on either side in each direction are scanned again (32
// windows in Connect6). A window takes back its own marks first and leaves those of others.
#pragma once

#include <cstdint>
#include <vector>

#include "agent_board.hpp"

namespace tengen {

class SequencesRanking {
public:
    static constexpr double win = 1e15, strong = 1e14, threat = 1e13;

    explicit SequencesRanking(double defence) : defence_(defence) {}

    void operator()(AgentBoard& board, Mover mover, std::vector<Ranked>& out) {
        scan(board);
        out.clear();
        for (int cell : board.squares()) {
            if (!board.is_empty(cell)) continue;
            const int before[] = {threats_[0], threats_[1]};
            board.place(cell, mover.colour);
            rescan(board, cell);
            out.push_back({cell, utility(board, {mover.colour, mover.left - 1})});
            board.remove(cell);
            undo();
            threats_[0] = before[0], threats_[1] = before[1];
        }
    }

    // Scans the whole board.
    void scan(const AgentBoard& board) {
        for (int colour : {black, white}) {
            marker_[colour].assign(std::size_t(board.cells()), nobody);
            counted_[colour].assign(std::size_t(board.cells()) * Board::directions, 0);
            threats_[colour] = 0;
        }
        // Along each line from the left, in a column from below.
        for (int d = 0; d < Board::directions; ++d) {
            const auto& squares = board.squares();
            for (std::size_t i = 0; i < squares.size(); ++i) {
                const int cell = board.step(d) > 0 ? squares[i] : squares[squares.size() - 1 - i];
                if (!board.is_window(d, cell)) continue;
                for (int colour : {black, white}) check(board, d, cell, colour);
            }
        }
        log_.clear();
    }

    // Scans again what a new stone may have changed.
    void rescan(const AgentBoard& board, int cell) {
        const int x = board.x(cell), y = board.y(cell), k = board.k();
        for (int d = 0; d < Board::directions; ++d)
            for (int i = k; i >= -1; --i) {
                const bool beside = i == k || i == -1;
                if (beside && !board.contains(x - i * Board::dx[d], y - i * Board::dy[d])) continue;
                const int first = cell - i * board.step(d);
                if (!board.is_window(d, first)) continue;
                for (int colour : {black, white}) check(board, d, first, colour);
            }
    }

    int threats(int colour) const { return threats_[colour]; }

    // What the board is worth to a player who may still place some stones (none, perhaps) in this turn.
    double utility(const AgentBoard& board, Mover mover) const {
        const int me = mover.colour, other = 1 - me;
        if (board.can_win(me))
            for (int stones = std::max(0, board.k() - mover.left); stones <= board.k(); ++stones)
                if (board.windows_with(me, stones) > 0) return win;
        const double worth = double(score(board, me)) - defence_ * double(score(board, other));
        if (threats_[other] > 0) return worth - threat * threats_[other];
        return threats_[me] > board.p() ? worth + strong : worth;
    }

private:
    static constexpr int nobody = -1;

    struct Change {
        int colour, place, before;  // a marked square, or a window: its number and the cells before it
    };

    static std::int64_t score(const AgentBoard& board, int colour) {
        if (!board.can_win(colour)) return 0;
        std::int64_t sum = 0;
        for (int stones = 1; stones <= board.k(); ++stones) sum += std::int64_t(stones) * stones * board.windows_with(colour, stones);
        return sum;
    }

    void check(const AgentBoard& board, int d, int first, int colour) {
        const int k = board.k(), window = d * board.cells() + first;
        if (counted_[colour][std::size_t(window)]) {
            for (int i = 0, at = first; i < k; ++i, at += board.step(d))
                if (marker_[colour][std::size_t(at)] == window) mark(colour, at, nobody);
            count(board, colour, window, 0);
        }
        const int mine = board.stones_on(colour, d, first);
        if (mine == k || mine < std::max(1, k - board.p()) || board.stones_on(1 - colour, d, first) > 0 || !board.can_win(colour)) return;
        for (int i = 0, at = first; i < k; ++i, at += board.step(d))
            if (board.is_empty(at) && marker_[colour][std::size_t(at)] != nobody) return;
        for (int i = 0, at = first; i < k; ++i, at += board.step(d))
            if (board.is_empty(at)) mark(colour, at, window);
        count(board, colour, window, 1);
    }

    void mark(int colour, int cell, int window) {
        int& marker = marker_[colour][std::size_t(cell)];
        log_.push_back({colour, cell, marker});
        marker = window;
    }

    void count(const AgentBoard& board, int colour, int window, std::uint8_t counted) {
        log_.push_back({colour, board.cells() + window, 1 - counted});
        counted_[colour][std::size_t(window)] = counted;
        threats_[colour] += counted ? 1 : -1;
    }

    void undo() {
        for (; !log_.empty(); log_.pop_back()) {
            const Change& change = log_.back();
            const int cells = int(marker_[change.colour].size());
            if (change.place < cells) marker_[change.colour][std::size_t(change.place)] = change.before;
            else counted_[change.colour][std::size_t(change.place - cells)] = std::uint8_t(change.before);
        }
    }

    double defence_;
    int threats_[2] = {0, 0};
    std::vector<int> marker_[2];            // of each square, the window that marked it
    std::vector<std::uint8_t> counted_[2];  // of each window, whether it counts as a threat
    std::vector<Change> log_;
};

}  // namespace tengen
