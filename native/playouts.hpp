// Random games, for the Monte Carlo agent: which next stone wins most of them?
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agent_board.hpp"
#include "meter.hpp"

namespace tengen {

class Playouts {
public:
    // With `local`, random stones are placed beside those that are there; otherwise anywhere.
    Playouts(const AgentBoard& board, Mover mover, bool local, std::uint64_t seed)
        : board_(board), mover_(mover), local_(local), random_(seed), stride_(board.width() + 2) {
        stones_.assign(std::size_t(stride_) * std::size_t(board.height() + 2), off_board);
        place_of_.assign(stones_.size(), -1);
        for (int cell : board.squares()) stones_[std::size_t(index(cell))] = std::int8_t(board.stone(cell));
        for (int i = 0; i < 8; ++i) around_[i] = (i < 3 ? stride_ : i < 6 ? -stride_ : 0) + (i < 6 ? i % 3 - 1 : i == 6 ? -1 : 1);
        for (int cell : board.squares()) {
            const int at = index(cell);
            if (stones_[std::size_t(at)] == empty && (!local || has_neighbour(at))) open(at);
        }
        start_ = {stones_, open_, place_of_};
    }

    // The empty squares at most so far from a stone, with the share of games won by a stone there (draws count half). The games are
    // shared out evenly; the meter ends them.
    void rank(int within, Meter& meter, std::vector<Ranked>& out) {
        out.clear();
        board_.each_empty([&](int cell) {
            if (is_near(cell, within)) out.push_back({cell, 0.0});
        });
        if (out.empty()) board_.each_empty([&](int cell) { out.push_back({cell, 0.0}); });
        std::vector<std::uint64_t> points(out.size(), 0), games(out.size(), 0);
        try {
            for (;;)
                for (std::size_t i = 0; i < out.size(); ++i) {
                    meter.count();
                    points[i] += std::uint64_t(play(index(out[i].cell)));
                    ++games[i];
                }
        } catch (const Stopped&) {
        }
        for (std::size_t i = 0; i < out.size(); ++i)
            if (games[i]) out[i].utility = double(points[i]) / double(2 * games[i]);
    }

private:
    static constexpr std::int8_t empty = -1, off_board = 2;

    struct State {
        std::vector<std::int8_t> stones;
        std::vector<int> open, place_of;
    };

    int index(int cell) const {
        return (board_.y(cell) - board_.y(board_.squares()[0]) + 1) * stride_ + board_.x(cell) - board_.x(board_.squares()[0]) + 1;
    }

    bool is_near(int cell, int within) const {
        for (int y = board_.y(cell) - within; y <= board_.y(cell) + within; ++y)
            for (int x = board_.x(cell) - within; x <= board_.x(cell) + within; ++x)
                if (board_.contains(x, y) && !board_.is_empty(board_.cell(x, y))) return true;
        return false;
    }

    bool has_neighbour(int at) const {
        return std::any_of(around_, around_ + 8, [&](int step) {
            const int stone = stones_[std::size_t(at + step)];
            return stone == black || stone == white;
        });
    }

    void open(int at) {
        place_of_[std::size_t(at)] = int(open_.size());
        open_.push_back(at);
    }

    void close(int at) {
        const int place = place_of_[std::size_t(at)], last = open_.back();
        open_[std::size_t(place)] = last;
        place_of_[std::size_t(last)] = place;
        open_.pop_back();
        place_of_[std::size_t(at)] = -1;
    }

    // A game that begins with this stone: 2 if the mover wins it, 1 if nobody does, else 0.
    int play(int at) {
        stones_ = start_.stones, open_ = start_.open, place_of_ = start_.place_of;
        int empty_squares = board_.empty();
        for (Mover mover = mover_;;) {
            if (place_of_[std::size_t(at)] >= 0) close(at);
            stones_[std::size_t(at)] = std::int8_t(mover.colour);
            --empty_squares;
            if (board_.can_win(mover.colour) && completes_row(at, mover.colour)) return mover.colour == mover_.colour ? 2 : 0;
            if (local_)
                for (int step : around_)
                    if (stones_[std::size_t(at + step)] == empty && place_of_[std::size_t(at + step)] < 0) open(at + step);
            if (open_.empty()) return 1;
            if (--mover.left == 0) mover = {1 - mover.colour, std::min(board_.p(), empty_squares)};
            at = open_[std::size_t(((next_random() >> 32) * open_.size()) >> 32)];
        }
    }

    bool completes_row(int at, int colour) const {
        for (int step : {1, stride_, stride_ + 1, stride_ - 1}) {
            int row = 1;
            for (int next = at + step; stones_[std::size_t(next)] == colour; next += step) ++row;
            for (int next = at - step; stones_[std::size_t(next)] == colour; next -= step) ++row;
            if (row >= board_.k()) return true;
        }
        return false;
    }

    std::uint64_t next_random() {
        random_ += 0x9e3779b97f4a7c15ULL;
        return mix(random_);
    }

    const AgentBoard& board_;
    Mover mover_;
    bool local_;
    std::uint64_t random_;
    int stride_;  // of a board with a frame one square wide, so that rows end by themselves
    int around_[8];
    std::vector<std::int8_t> stones_;
    std::vector<int> open_, place_of_;  // squares that a random stone may take, and where each stands in the list
    State start_;
};

}  // namespace tengen
