// The board as the agents see it: windows of k squares by how many stones they hold, and the lines they slide along.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "board.hpp"

namespace tengen {

// Who places the next stone, and how many he has left in this turn.
struct Mover {
    int colour, left;
};

// A square with what a stone of the mover is worth there.
struct Ranked {
    int cell;
    double utility;
};

class AgentBoard {
public:
    // On the infinite board, the window that the board covers is taken for all of it.
    AgentBoard(const Board& board, int p, bool maker_breaker) : board_(board), p_(p), maker_breaker_(maker_breaker) {
        const std::size_t cells = std::size_t(board.cells());
        xs_.resize(cells);
        ys_.resize(cells);
        windows_.resize(cells * Board::directions);
        for (auto& of_colour : held_) of_colour.resize(std::size_t(board.k()) + 1);
        for (int y = board.bottom(); y < board.bottom() + board.height(); ++y)
            for (int x = board.left(); x < board.left() + board.width(); ++x) {
                const int cell = board.cell(x, y);
                xs_[std::size_t(cell)] = x, ys_[std::size_t(cell)] = y;
                squares_.push_back(cell);
                for (int d = 0; d < Board::directions; ++d) {
                    if (!board.contains(x - Board::dx[d], y - Board::dy[d])) add_line(x, y, d);
                    if (!board.on_board(x, y, d)) continue;
                    windows_[std::size_t(d) * cells + std::size_t(cell)] = 1;
                    for (int colour : {black, white})
                        if (stones_on(1 - colour, d, cell) == 0) ++held_[colour][std::size_t(stones_on(colour, d, cell))];
                }
            }
        empty_ = int(squares_.size()) - board.count(black) - board.count(white);
    }

    int width() const { return board_.width(); }
    int height() const { return board_.height(); }
    int k() const { return board_.k(); }
    int p() const { return p_; }
    int empty() const { return empty_; }
    int cells() const { return board_.cells(); }
    int x(int cell) const { return xs_[std::size_t(cell)]; }
    int y(int cell) const { return ys_[std::size_t(cell)]; }
    int step(int direction) const { return board_.step(direction); }
    bool contains(int x, int y) const { return board_.contains(x, y); }
    int cell(int x, int y) const { return board_.cell(x, y); }
    bool is_empty(int cell) const { return board_.stone(cell) < 0; }
    int stone(int cell) const { return board_.stone(cell); }
    int stones_on(int colour, int direction, int cell) const { return board_.stones_on(colour, direction, cell); }
    bool can_win(int colour) const { return colour == black || !maker_breaker_; }
    bool has_won(int colour) const { return can_win(colour) && board_.has_row(colour); }

    // All squares, row by row from below.
    const std::vector<int>& squares() const { return squares_; }

    // The lines of at least k squares in the four directions.
    const std::vector<std::vector<int>>& lines() const { return lines_; }

    template <class Visit>
    void each_empty(Visit visit) const {
        for (int cell : squares_)
            if (is_empty(cell)) visit(cell);
    }

    bool is_window(int direction, int cell) const {
        return windows_[std::size_t(direction) * std::size_t(board_.cells()) + std::size_t(cell)] != 0;
    }

    // The windows that hold a square, by direction and first square, in the order in which they slide by.
    template <class Visit>
    void each_window_through(int cell, Visit visit) const {
        for (int d = 0; d < Board::directions; ++d)
            for (int i = k() - 1, first = cell - i * step(d); i >= 0; --i, first += step(d))
                if (is_window(d, first)) visit(d, first);
    }

    // How many windows hold so many stones of one colour and none of the other.
    int windows_with(int colour, int stones) const { return held_[colour][std::size_t(stones)]; }

    void place(int cell, int colour) {
        count_windows(cell, colour, 1);
        board_.place_cell(cell, colour);
        --empty_;
    }

    void remove(int cell) {
        const int colour = stone(cell);
        board_.remove_cell(cell, colour);
        count_windows(cell, colour, -1);
        ++empty_;
    }

    // Who moves after a stone of the mover is placed.
    Mover after(Mover mover) const {
        return mover.left > 1 ? Mover{mover.colour, mover.left - 1} : Mover{1 - mover.colour, std::min(p_, empty_)};
    }

private:
    void add_line(int x, int y, int d) {
        std::vector<int> line;
        for (; contains(x, y); x += Board::dx[d], y += Board::dy[d]) line.push_back(board_.cell(x, y));
        if (int(line.size()) >= k()) lines_.push_back(std::move(line));
    }

    // Called while the square is empty: what a stone there changes, or takes back (sign -1).
    void count_windows(int cell, int colour, int sign) {
        const int other = 1 - colour;
        each_window_through(cell, [&](int d, int first) {
            const int mine = stones_on(colour, d, first), theirs = stones_on(other, d, first);
            if (theirs == 0) {
                held_[colour][std::size_t(mine)] -= sign;
                held_[colour][std::size_t(mine) + 1] += sign;
            }
            if (mine == 0) held_[other][std::size_t(theirs)] -= sign;
        });
    }

    Board board_;
    int p_;
    bool maker_breaker_;
    int empty_ = 0;
    std::vector<int> squares_, xs_, ys_;
    std::vector<std::vector<int>> lines_;
    std::vector<std::uint8_t> windows_;  // [direction * cells + first square]: whether it lies on the board
    std::vector<int> held_[2];           // [colour][stones]: windows with so many, and none of the other colour
};

// The value of t stones in a row, 2^(c(t-1)): c is 6 as in the paper, less for rows so long that they would overflow.
class Tiers {
public:
    explicit Tiers(int k) : bits_(std::min(6, 960 / (k + 2))) {}
    double operator()(int stones) const { return std::ldexp(1.0, bits_ * (stones - 1)); }

private:
    int bits_;
};

}  // namespace tengen
