// The evaluation of Huang's thesis (tables 3-8 to 3-10): squares are scored by the patterns that a stone there makes and breaks on its
// four lines, boards by threats and by live and dead patterns. Kept as a baseline.
#pragma once

#include <map>
#include <numeric>

#include "evaluation.hpp"
#include "line_patterns.hpp"

namespace tengen {

class HuangEvaluation final : public Evaluation {
public:
    HuangEvaluation(const Geometry& geometry, int p)
        : geometry_(geometry), patterns_(patterns_of(geometry.k, p)), need_(std::max(1, geometry.k - p)),
          cells_(std::size_t(geometry.squares), nobody), lines_of_(std::size_t(geometry.squares)), points_(std::size_t(geometry.squares)) {
        constexpr int dx[] = {1, 0, 1, 1}, dy[] = {0, 1, 1, -1};
        const int width = geometry.width, height = geometry.height;
        const auto inside = [&](int x, int y) { return x >= 0 && x < width && y >= 0 && y < height; };
        for (int d = 0; d < 4; ++d)
            for (int sy = 0; sy < height; ++sy)
                for (int sx = 0; sx < width; ++sx) {
                    if (inside(sx - dx[d], sy - dy[d])) continue;
                    Line line;
                    line.direction = d;
                    for (int x = sx, y = sy; inside(x, y); x += dx[d], y += dy[d]) line.squares.push_back(Square(x + y * width));
                    for (Square s : line.squares) lines_of_[s][std::size_t(d)] = int(lines_.size());
                    lines_.push_back(std::move(line));
                }
        for (Line& line : lines_) survey(line);
    }

    void place(Square s, int colour) override { change(s, std::int8_t(colour)); }
    void remove(Square s, int) override { change(s, nobody); }

    // The thesis scores a position for the player who has just moved.
    int value(int turn) const override { return -after_move(1 - turn); }

    void score_squares(int side, int, std::vector<ScoredSquare>& squares) const override {
        for (ScoredSquare& scored : squares) {
            const auto& by_direction = points_[scored.square].value[std::size_t(side)];
            scored.score = std::accumulate(by_direction.begin(), by_direction.end(), 0);
        }
    }

private:
    static constexpr std::int8_t nobody = -1;
    static constexpr int highest = 4;
    struct Line {
        int direction = 0;
        std::vector<Square> squares;
        std::array<LinePatterns::Level, 2> level{};
    };
    struct Points {
        std::array<std::array<int, 4>, 2> value{};  // for each side and direction
    };
    // How many lines of each kind a side has.
    struct Census {
        int threats = 0, rows = 0;
        std::array<int, highest + 1> live{}, dead{};
    };

    static LinePatterns& patterns_of(int k, int p) {
        thread_local std::map<std::pair<int, int>, LinePatterns> known;  // its table is large, and filled while it is used
        return known.try_emplace({k, p}, k, p).first->second;
    }

    // The thesis's names are those of Connect6, where four stones threaten; elsewhere read k-p for 4.
    static int rank_of(int stones, int need) { return std::clamp(stones + highest - need, 0, highest); }

    int point_score(LinePatterns::Level level, const std::array<int, 5>& live, const std::array<int, 5>& dead) const {
        if (level == LinePatterns::row) return 10 * live[highest];
        if (level == 0) return 0;
        if (level > 2 * need_) return level >= 2 * need_ + 2 ? live[highest] : dead[highest];
        const int stones = (level - 1) / 2;
        return level % 2 == 0 ? live[std::size_t(rank_of(stones, need_))] : dead[std::size_t(rank_of(stones, need_))];
    }

    void survey(Line& line) {
        static constexpr std::array<int, 5> attack_live{0, 125, 500, 1200, 6000}, attack_dead{0, 25, 100, 400, 2000};
        static constexpr std::array<int, 5> defence_live{0, 250, 1800, 2400, 15000}, defence_dead{0, 50, 200, 800, 15000};
        const int d = line.direction;
        for (Square s : line.squares) points_[s].value[0][std::size_t(d)] = points_[s].value[1][std::size_t(d)] = 0;
        line.level = {};
        if (int(line.squares.size()) < geometry_.k) return;
        for (int colour = 0; colour < 2; ++colour) {
            text_.clear();
            for (Square s : line.squares)
                text_.push_back(char(cells_[s] == nobody ? LinePatterns::empty : cells_[s] == colour ? LinePatterns::own : LinePatterns::blocked));
            line.level[std::size_t(colour)] = patterns_.level(text_);
            patterns_.each_point(text_, [&](int place, const LinePatterns::Point& point) {
                auto& value = points_[line.squares[std::size_t(place)]].value;
                if (point.extended > point.now) value[std::size_t(colour)][std::size_t(d)] += point_score(point.extended, attack_live, attack_dead);
                if (point.cut < point.now) value[std::size_t(1 - colour)][std::size_t(d)] += point_score(point.now, defence_live, defence_dead);
            });
        }
    }

    void change(Square s, std::int8_t cell) {
        cells_[s] = cell;
        for (int line : lines_of_[s]) survey(lines_[std::size_t(line)]);
    }

    Census census(int colour) const {
        Census found;
        for (const Line& line : lines_) {
            const LinePatterns::Level level = line.level[std::size_t(colour)];
            if (level == 0) continue;
            if (level == LinePatterns::row)
                ++found.rows;
            else if (level > 2 * need_)
                found.threats += level - 2 * need_;
            else
                ++(level % 2 == 0 ? found.live : found.dead)[std::size_t(rank_of((level - 1) / 2, need_))];
        }
        return found;
    }

    // Table 3-10.
    int after_move(int side) const {
        const Census we = census(side), they = census(1 - side);
        if (we.rows > 0) return 1000000 / 2;
        if (they.threats >= 1) return -1000000 / 2;
        if (we.threats >= 3) return 20000;
        if (we.threats == 2) return 5000 + 2000 * we.live[3] + 1000 * we.live[2] + 1000 * we.dead[3];
        if (we.threats == 1 && they.live[3] == 0)
            return 2500 - 2000 * (they.live[2] > 0) - 2500 * (they.dead[3] > 0) + 1000 * we.live[3] + 500 * we.dead[3] + 500 * we.live[2];
        if (they.live[2] + they.live[3] > 0 || they.dead[3] >= 2)
            return -5000 - 2000 * they.live[3] - 1000 * they.live[2] - 1000 * they.dead[3];
        return -2000 * (they.dead[3] > 0) - 800 * (they.dead[2] > 0) - 1000 * (they.live[1] > 0) + 3500 * (we.live[3] > 0) +
               600 * (we.dead[3] > 0) + 600 * (we.live[2] > 0) + 120 * (we.dead[2] > 0) + 150 * (we.live[1] > 0);
    }

    const Geometry& geometry_;
    LinePatterns& patterns_;
    int need_;
    std::vector<std::int8_t> cells_;
    std::vector<std::array<int, 4>> lines_of_;
    std::vector<Points> points_;
    std::vector<Line> lines_;
    std::string text_;
};

// The tables of the thesis are part of the code.
struct HuangTables final : EvaluationWeights {
    std::unique_ptr<Evaluation> make(const Geometry& geometry, int p) const override { return std::make_unique<HuangEvaluation>(geometry, p); }
};

}  // namespace tengen
