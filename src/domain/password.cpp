#include "domain/password.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/encoding.hpp"
#include "domain/common_words.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLeast = 8;
constexpr std::size_t kMost = 128;
/// Shorter parts of a phone occur in many numbers.
constexpr std::size_t kTellingDigits = 8;

/// What a password is worth: one point for each character that nobody could know, two for each
/// piece that a guesser tries first, one for a piece that hardly adds anything: what stands further
/// to the left already, and !@# and what follows it on the keyboard. Eight random characters are
/// worth eight.
constexpr int kPiece = 2;
constexpr int kSmallPiece = 1;
constexpr int kEnough = 6;
/// Several words with something between them, such as "secret-password", are a short passphrase.
constexpr int kEnoughOfWords = 5;
constexpr std::size_t kSeveral = 2;
/// Digits and signs beside a word add no more, because most passwords are a word with digits.
constexpr int kMostOfDigits = 3;
constexpr std::size_t kShortestPiece = 3;
constexpr std::size_t kShortestOfSigns = 2;
constexpr std::string_view kRowOfSigns = "!@#$%^&*()";
constexpr std::size_t kShortestPartOfPhone = 6;
constexpr std::size_t kLongestPeriod = 4;
/// A longer repetition counts as several pieces: its length has to be guessed too.
constexpr std::size_t kLongestRepetition = 16;

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

std::string in_lower_case(std::string_view text) {
    std::string plain(text);
    std::ranges::transform(plain, plain.begin(), to_lower);
    return plain;
}

std::string digits_of(std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), is_digit);
    return digits;
}

/// p@ssw0rd counts as password.
bool looks_like(char c, char letter) {
    constexpr std::string_view signs = "@48391!1|05$7+2";
    constexpr std::string_view letters =
        "aabegiillosst"
        "tz";
    static_assert(signs.size() == letters.size());
    if (c == letter) return true;
    for (std::size_t i = 0; i < signs.size(); ++i)
        if (signs[i] == c && letters[i] == letter) return true;
    return false;
}

bool begins_with_word(std::string_view text, std::string_view word) {
    if (text.size() < word.size()) return false;
    const auto given = text.substr(0, word.size());
    // Digits alone are no word, whatever they could be read as.
    const bool is_number = std::ranges::none_of(given, is_letter);
    return is_number ? given == word : std::ranges::equal(given, word, looks_like);
}

/// The longest beginning of `text` that also occurs in `row`.
std::size_t match_part(std::string_view text, std::string_view row, std::size_t shortest) {
    std::size_t longest = 0;
    for (auto length = shortest; length <= text.size() && length <= row.size(); ++length) {
        if (row.find(text.substr(0, length)) == row.npos) break;
        longest = length;
    }
    return longest;
}

/// A few characters repeated: 888, abcabc, 1212.
std::size_t match_repetition(std::string_view text) {
    std::size_t longest = 0;
    for (std::size_t period = 1; period <= kLongestPeriod; ++period) {
        std::size_t length = std::min(period, text.size());
        const auto end = std::min(text.size(), kLongestRepetition);
        while (length < end && text[length] == text[length - period]) ++length;
        if (length >= 2 * period && length >= kShortestPiece) longest = std::max(longest, length);
    }
    return longest;
}

int number_at(std::string_view text, std::size_t at, std::size_t digits) {
    int number = 0;
    for (const char c : text.substr(at, digits)) number = number * 10 + (c - '0');
    return number;
}

bool is_year(int number) {
    return number >= 1900 && number < 2060;
}
bool is_month_and_day(int first, int second) {
    return first >= 1 && first <= 12 && second >= 1 && second <= 31;
}

/// 20011225, 25122001, 12252001, 011225, 2001.
std::size_t match_date(std::string_view text) {
    const auto digits =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    const auto two = [&](std::size_t at) { return number_at(text, at, 2); };
    if (digits >= 8) {
        if (is_year(number_at(text, 0, 4)) && is_month_and_day(two(4), two(6))) return 8;
        const bool day_first = is_month_and_day(two(2), two(0));
        if ((day_first || is_month_and_day(two(0), two(2))) && is_year(number_at(text, 4, 4)))
            return 8;
    }
    if (digits >= 6 && is_month_and_day(two(2), two(4))) return 6;
    if (digits >= 4 && is_year(number_at(text, 0, 4))) return 4;
    return 0;
}

/// Names and parts of names, in lower case.
std::vector<std::string> words_of_name(std::string_view name) {
    std::vector<std::string> words(2);
    for (const char c : in_lower_case(name)) {
        if (is_letter(c)) {
            words[0] += c;  // all of them together
            words.back() += c;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    std::erase_if(words, [](const std::string& word) { return word.size() < kShortestPiece; });
    return words;
}

/// Calculates what a password is worth, read in one direction.
class Appraisal {
  public:
    Appraisal(const PasswordOwner& owner, bool backwards)
        : phone_(digits_of(owner.phone)), names_(words_of_name(owner.name)), backwards_(backwards) {
        if (!backwards_) return;
        std::ranges::reverse(phone_);
    }

    /// Whether the password can be put together in some way that is worth too little.
    bool is_cheap(std::string_view plain) const {
        std::vector<States> best(plain.size() + 1);
        best[0][0][0] = 0;
        for (std::size_t at = 0; at < plain.size(); ++at) {
            step(best[at], best[at + 1], is_letter(plain[at]) ? Step::letter : Step::sign);
            for (const auto& piece : pieces_at(plain, at))
                step(best[at], best[at + piece.length], piece.as);
        }
        const auto& ways = best.back();
        for (std::size_t words = 0; words < ways.size(); ++words)
            for (std::size_t signs = 0; signs < ways[words].size(); ++signs)
                if (ways[words][signs] + static_cast<int>(signs) < enough_with(words)) return true;
        return false;
    }

  private:
    static int enough_with(std::size_t words) {
        return words < kSeveral ? kEnough : kEnoughOfWords;
    }

    /// The lowest points so far, without those for digits and signs, by how many words and how many
    /// digits and signs were used. With a word few digits and signs count; without one as many as
    /// are enough.
    static constexpr int kLots = 1'000;
    struct States : std::array<std::array<int, kEnough + 1>, kSeveral + 1> {
        States() {
            for (auto& each : *this) each.fill(kLots);
        }
    };
    enum class Step { letter, sign, small_piece, piece, word };

    static void step(const States& from, States& to, Step step) {
        for (std::size_t before = 0; before <= kSeveral; ++before)
            for (std::size_t signs = 0; signs <= kEnough; ++signs) {
                const auto points = from[before][signs];
                if (points >= kLots) continue;
                const auto words = std::min(before + (step == Step::word ? 1 : 0), kSeveral);
                auto all = std::min<std::size_t>(signs + (step == Step::sign ? 1 : 0), kEnough);
                if (words > 0) all = std::min<std::size_t>(all, kMostOfDigits);
                auto& there = to[words][all];
                there = std::min(there, points + points_of(step));
            }
    }
    static int points_of(Step step) {
        if (step == Step::sign) return 0;
        if (step == Step::letter) return 1;
        return step == Step::small_piece ? kSmallPiece : kPiece;
    }

    struct Piece {
        std::size_t length;
        Step as;
    };

    std::vector<Piece> pieces_at(std::string_view plain, std::size_t at) const {
        const auto before = plain.substr(0, at), text = plain.substr(at);
        std::vector<Piece> pieces;
        const auto add = [&](std::size_t length, Step as = Step::piece) {
            if (length > 0) pieces.push_back({length, as});
        };
        const auto add_word = [&](std::string_view word) {
            const std::string turned(word.rbegin(), word.rend());
            add(begins_with_word(text, backwards_ ? turned : word) ? word.size() : 0, Step::word);
        };
        for (const auto word : common_words()) add_word(word);
        for (const auto& name : names_) add_word(name);
        for (const auto row : common_rows()) {
            add(match_part(text, row, kShortestPiece));
            add(match_part(text, std::string(row.rbegin(), row.rend()), kShortestPiece));
        }
        add(match_part(text, phone_, kShortestPartOfPhone));
        add(match_repetition(text));
        add(match_date(text));
        add(match_part(text.substr(0, kLongestRepetition), before, kShortestPiece),
            Step::small_piece);
        add(match_part(text, kRowOfSigns, kShortestOfSigns), Step::small_piece);
        return pieces;
    }

    std::string phone_;
    const std::vector<std::string> names_;
    const bool backwards_;
};

bool is_soon_guessed(std::string_view password, const PasswordOwner& owner) {
    const auto plain = in_lower_case(password);
    return Appraisal(owner, false).is_cheap(plain) || Appraisal(owner, true).is_cheap(plain);
}

/// However the country's code is written.
bool is_phone_itself(std::string_view password, std::string_view phone) {
    const bool of_digits = std::ranges::all_of(
        password, [](char c) { return is_digit(c) || c == '+' || c == '-' || c == ' '; });
    if (!of_digits) return false;
    const auto given = digits_of(password);
    const auto known = digits_of(phone);
    if (given.size() < kTellingDigits) return false;
    return known.ends_with(given) || (known.size() >= kTellingDigits && given.ends_with(known));
}

}  // namespace

std::optional<Complaint> check_new_password(std::string_view password, const PasswordOwner& owner) {
    if (!is_utf8(password)) return Rule::not_utf8;
    const auto length = count_characters(password);
    if (length < kLeast || length > kMost)
        return Complaint(Rule::characters_from_to, kLeast, kMost);
    if (has_control_characters(password, false)) return Rule::has_control_characters;
    if (is_phone_itself(password, owner.phone)) return Rule::password_is_phone;
    if (is_soon_guessed(password, owner)) return Rule::common_password;
    return std::nullopt;
}

}  // namespace sluice
