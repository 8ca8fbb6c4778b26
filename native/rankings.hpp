// Rankings of the agents that look at each empty square by itself: what is a stone there worth? Each is a function that
// fills a list, with scratch memory of its own: copy it for another thread.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "agent_board.hpp"

namespace tengen {

// Squares beside a stone, all alike; every square of an empty board.
struct AdjacentRanking {
    void operator()(const AgentBoard& board, Mover, std::vector<Ranked>& out) const {
        out.clear();
        board.each_empty([&](int cell) {
            if (is_adjacent(board, cell)) out.push_back({cell, 0.0});
        });
        if (out.empty()) board.each_empty([&](int cell) { out.push_back({cell, 0.0}); });
    }

private:
    static bool is_adjacent(const AgentBoard& board, int cell) {
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int x = board.x(cell) + dx, y = board.y(cell) + dy;
                if (board.contains(x, y) && !board.is_empty(board.cell(x, y))) return true;
            }
        return false;
    }
};

// Windows that a stone blocks count twice, those that it fills once; one that can be filled in this turn outweighs all.
struct WindowsRanking {
    void operator()(const AgentBoard& board, Mover mover, std::vector<Ranked>& out) const {
        out.clear();
        const Tiers worth(board.k());
        const int me = mover.colour, other = 1 - me;
        board.each_empty([&](int cell) {
            double utility = 0;
            board.each_window_through(cell, [&](int d, int first) {
                const int mine = board.stones_on(me, d, first), theirs = board.stones_on(other, d, first);
                if (theirs == 0 && board.can_win(me)) {
                    if (mine + mover.left >= board.k()) utility += worth(board.k() + 1);
                    if (mine > 0) utility += worth(mine);
                } else if (mine == 0 && theirs > 0 && board.can_win(other)) {
                    utility += 2 * worth(theirs);
                }
            });
            out.push_back({cell, utility});
        });
    }
};

// The generalised threats of the Connect-k paper, as src/tengen/threat/generalised.py reads them.
class ThreatsRanking {
public:
    explicit ThreatsRanking(bool prioritise) : prioritise_(prioritise) {}

    void operator()(const AgentBoard& board, Mover mover, std::vector<Ranked>& out) {
        values_.assign(std::size_t(board.cells()), 0.0);
        const Tiers worth(board.k());
        each_threat(board, [&](int cell, const Threat& threat) {
            values_[std::size_t(cell)] += worth(prioritise_ ? priority(threat, board, mover) : threat.stones);
        });
        out.clear();
        board.each_empty([&](int cell) { out.push_back({cell, values_[std::size_t(cell)]}); });
    }

    // What the board is worth to a player: the values of his sequences minus those of the other.
    double evaluate(const AgentBoard& board, int colour) {
        const Tiers worth(board.k());
        double sums[2] = {0, 0};
        each_threat(board, [&](int, const Threat& threat) { sums[threat.owner] += worth(threat.stones); });
        return sums[colour] - sums[1 - colour];
    }

private:
    struct Threat {
        int stones = 0, owner = -1;
    };
    struct Found {
        Threat threats[2];  // the larger first
    };

    // Every value of a square that is not in the shadow of a larger one.
    template <class Visit>
    void each_threat(const AgentBoard& board, Visit visit) {
        for (const std::vector<int>& line : board.lines()) {
            if (!read(board, line)) continue;
            for (std::size_t place = 0; place < line.size(); ++place)
                for (const Threat& threat : found_[place].threats)
                    if (threat.stones > 0 && board.can_win(threat.owner) && !is_dominated(place, threat, board.k())) visit(line[place], threat);
        }
    }

    // The sequences that each place of a line is on; false if there is no stone on it.
    bool read(const AgentBoard& board, const std::vector<int>& line) {
        stones_.clear();
        bool any = false;
        for (int cell : line) {
            stones_.push_back(board.stone(cell));
            any |= stones_.back() >= 0;
        }
        if (!any) return false;
        found_.assign(line.size(), Found{});
        most_[0].assign(line.size(), 0);
        most_[1].assign(line.size(), 0);
        for (int place = 0; place < int(line.size()); ++place) {
            if (stones_[std::size_t(place)] >= 0) continue;
            Threat first = check(place, 1, board.k()), second = check(place, -1, board.k());
            if (std::pair(second.stones, second.owner) > std::pair(first.stones, first.owner)) std::swap(first, second);
            found_[std::size_t(place)] = {{first, second}};
            for (const Threat& threat : {second, first})
                if (threat.stones > 0) most_[threat.owner][std::size_t(place)] = std::max(most_[threat.owner][std::size_t(place)], threat.stones);
        }
        return true;
    }

    // The most stones of a player on k squares around an empty one: ahead while no second player comes, and his stones
    // directly behind.
    Threat check(int place, int sign, int k) {
        const int length = int(stones_.size());
        int owner = -1, ahead = 0, behind = 0;
        before_.assign(1, 0);  // stones on the first so many squares ahead
        for (int at = place + sign; ahead < k - 1 && at >= 0 && at < length; at += sign, ++ahead) {
            const int stone = stones_[std::size_t(at)];
            if (stone >= 0) {
                if (owner >= 0 && stone != owner) break;
                owner = stone;
            }
            before_.push_back(before_.back() + (stone >= 0));
        }
        for (int at = place - sign; behind < k - 1 && at >= 0 && at < length; at -= sign, ++behind) {
            const int stone = stones_[std::size_t(at)];
            if (stone < 0 || (owner >= 0 && stone != owner)) break;
            owner = stone;
        }
        if (owner < 0 || behind + 1 + ahead < k) return {};
        int most = 0;
        for (int taken = std::max(0, k - 1 - ahead); taken <= behind; ++taken)  // of the stones behind
            most = std::max(most, taken + before_[std::size_t(k - 1 - taken)]);
        return {most, owner};
    }

    bool is_dominated(std::size_t place, const Threat& threat, int k) const {
        const std::vector<int>& most = most_[threat.owner];
        const std::size_t from = place > std::size_t(k) ? place - std::size_t(k) : 0;
        const std::size_t to = std::min(most.size(), place + std::size_t(k) + 1);
        for (std::size_t near = from; near < to; ++near)
            if (most[near] > threat.stones) return true;
        return false;
    }

    // What the paper leaves as an option: a row that this turn can complete comes first, a threat of the other player's
    // second, and a threat of one's own that is there already is not worth extending.
    static int priority(const Threat& threat, const AgentBoard& board, Mover mover) {
        const int k = board.k(), need = std::max(1, k - board.p());
        if (threat.owner == mover.colour) {
            if (threat.stones + mover.left >= k) return k + 1;
            return threat.stones >= need ? 1 : threat.stones;
        }
        return threat.stones >= need ? k : threat.stones;
    }

    bool prioritise_;
    std::vector<double> values_;
    std::vector<int> stones_, before_, most_[2];
    std::vector<Found> found_;
};

// The board as an elastic surface: stones press it down, its frame holds it, and each square hangs at the mean depth of the
// four squares in each of the eight directions around it. The deepest empty square is the best.
class MeshRanking {
public:
    explicit MeshRanking(double theirs) : theirs_(theirs) {}

    void operator()(const AgentBoard& board, Mover mover, std::vector<Ranked>& out) {
        collect(board);
        const std::size_t count = board.squares().size();
        depth_.assign(count + 1, 0.0);  // the last one is the frame
        weight_.assign(count, 0.0);
        for (std::size_t i = 0; i < count; ++i) {
            const int stone = board.stone(board.squares()[i]);
            if (stone >= 0) weight_[i] = stone == mover.colour ? 1.0 : theirs_;
        }
        for (int sweep = 0; sweep < most_sweeps; ++sweep)
            if (relax() < tolerance) break;
        out.clear();
        for (std::size_t i = 0; i < count; ++i)
            if (board.is_empty(board.squares()[i])) out.push_back({board.squares()[i], std::round(depth_[i] * 1e6) / 1e6});
    }

private:
    static constexpr int reach = 4, around = 8 * reach, most_sweeps = 5000;
    static constexpr double tolerance = 1e-9;

    void collect(const AgentBoard& board) {
        if (width_ == board.width() && height_ == board.height()) return;  // as in the call before
        width_ = board.width(), height_ = board.height();
        const std::size_t count = board.squares().size();
        std::vector<int> index(std::size_t(board.cells()), -1);
        for (std::size_t i = 0; i < count; ++i) index[std::size_t(board.squares()[i])] = int(i);
        neighbours_.clear();
        for (int cell : board.squares())
            for (int distance = 1; distance <= reach; ++distance)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) {
                        if (dx == 0 && dy == 0) continue;
                        const int x = board.x(cell) + distance * dx, y = board.y(cell) + distance * dy;
                        neighbours_.push_back(board.contains(x, y) ? index[std::size_t(board.cell(x, y))] : int(count));
                    }
    }

    // One sweep over the surface; how far it moved at most.
    double relax() {
        double moved = 0;
        const int* neighbour = neighbours_.data();
        for (std::size_t i = 0; i + 1 < depth_.size(); ++i) {
            double sum = 0;
            for (int n = 0; n < around; ++n) sum += depth_[std::size_t(*neighbour++)];
            const double depth = weight_[i] + sum / around;
            moved = std::max(moved, std::abs(depth - depth_[i]));
            depth_[i] = depth;
        }
        return moved;
    }

    double theirs_;
    int width_ = 0, height_ = 0;
    std::vector<double> depth_, weight_;
    std::vector<int> neighbours_;
};

}  // namespace tengen
