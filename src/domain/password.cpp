#include "domain/password.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.hpp"
#include "base/encoding.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLeast = 8;
constexpr std::size_t kMost = 128;
constexpr std::size_t kLongestRepetition = 16;
/// Parts of a phone that are shorter stand in many numbers.
constexpr std::size_t kTellingDigits = 8;

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return c >= 'a' && c <= 'z';
}

/// In lower case, without what may stand before and after them. In order, for the search.
constexpr auto kWords = std::to_array<std::string_view>({
    "aa",         "aaa",       "abc",         "abcd",       "abcde",         "abcdef",
    "access",     "account",   "admin",       "adminadmin", "administrator", "asd",
    "asdasd",     "asdf",      "asdfasdf",    "asdfg",      "asdfgh",        "asdfghj",
    "asdfghjk",   "asdfghjkl", "asdzxc",      "azerty",     "babygirl",      "baseball",
    "basketball", "batman",    "beijing",     "blink",      "buyer",         "changeit",
    "changeme",   "charlie",   "china",       "chocolate",  "computer",      "default",
    "demo",       "donald",    "dragon",      "facebook",   "football",      "forever",
    "freedom",    "fuckyou",   "ginger",      "google",     "guest",         "hello",
    "helloworld", "hunter",    "iloveyou",    "internet",   "jesus",         "jordan",
    "killer",     "letmein",   "liverpool",   "login",      "love",          "lovely",
    "loveme",     "manager",   "master",      "michael",    "michelle",      "mima",
    "monkey",     "mustang",   "mypassword",  "myspace",    "nicole",        "ninja",
    "operator",   "pass",      "passport",    "passw",      "password",      "passwort",
    "pokemon",    "princess",  "pwd",         "q",          "q2w3e4r",       "q2w3e4r5t",
    "qaz",        "qaz2wsx",   "qaz2wsx3edc", "qazwsx",     "qazwsxedc",     "qq",
    "qwe",        "qweasd",    "qweasdzxc",   "qweqwe",     "qwer",          "qwert",
    "qwerty",     "qwertyu",   "qwertyui",    "qwertyuio",  "qwertyuiop",    "root",
    "samsung",    "seckill",   "secret",      "shadow",     "shanghai",      "shop",
    "sluice",     "soccer",    "starwars",    "sunshine",   "superman",      "system",
    "taobao",     "test",      "tester",      "testing",    "testtest",      "trustno",
    "user",       "username",  "wang",        "welcome",    "whatever",      "woaini",
    "woaiwojia",  "woaiziji",  "wodemima",    "xiaoming",   "yuanyuan",      "zaq",
    "zhang",      "zxc",       "zxcvb",       "zxcvbn",     "zxcvbnm",
});
static_assert(std::ranges::is_sorted(kWords));

/// Runs of neighbours that people type, read both ways.
constexpr std::array<std::string_view, 6> kRows{"01234567890123456789",
                                                "abcdefghijklmnopqrstuvwxyz",
                                                "qwertyuiop",
                                                "asdfghjkl",
                                                "zxcvbnm",
                                                "147258369"};

/// Numbers without a pattern that we could name otherwise.
constexpr auto kNumbers = std::to_array<std::string_view>(
    {"11223344",   "1122334455", "112233445566", "12344321",  "1357924680", "13141314",
     "1314520520", "135792468",  "20082008",     "31415926",  "314159265",  "5201314520",
     "52013145",   "520131400",  "741852963",    "789456123", "98765432",   "99887766",
     "963852741",  "159753456",  "1597534862"});

std::string in_plain_letters(std::string_view password) {
    std::string plain(password);
    std::ranges::transform(plain, plain.begin(), to_lower);
    return plain;
}

/// p@ssw0rd is no other word than password.
char without_disguise(char c) {
    constexpr std::string_view signs = "@401!35$7";
    constexpr std::string_view letters = "aaoiiesst";
    static_assert(signs.size() == letters.size());
    const auto at = signs.find(c);
    return at == signs.npos ? c : letters[at];
}

/// From the first letter to the last.
std::string_view middle_of(std::string_view plain) {
    const auto first = std::ranges::find_if(plain, is_letter);
    if (first == plain.end()) return {};
    auto last = plain.end();
    while (!is_letter(*(last - 1))) --last;
    return {first, last};
}

bool has_common_middle(std::string_view plain) {
    std::string middle(middle_of(plain));
    if (middle.empty() || !is_utf8(plain)) return false;
    const bool ascii =
        std::ranges::all_of(plain, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii) return false;
    if (std::ranges::binary_search(kWords, std::string_view(middle))) return true;
    std::ranges::transform(middle, middle.begin(), without_disguise);
    return std::ranges::binary_search(kWords, std::string_view(middle));
}

bool is_run(std::string_view plain) {
    return std::ranges::any_of(kRows, [&](std::string_view row) {
        const std::string back(row.rbegin(), row.rend());
        return row.find(plain) != row.npos || back.find(plain) != back.npos;
    });
}

/// One to four characters again and again: 88888888, abcabcabc, 12121212. Longer ones are on
/// nobody's list.
bool is_repetition(std::string_view plain) {
    if (plain.size() > kLongestRepetition) return false;
    for (std::size_t period = 1; period <= 4 && period * 2 <= plain.size(); ++period) {
        const auto rest = plain.substr(period);
        if (plain.starts_with(rest)) return true;
    }
    return false;
}

std::string digits_of(std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), is_digit);
    return digits;
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

bool is_common_password(std::string_view password) {
    const auto plain = in_plain_letters(password);
    return is_run(plain) || is_repetition(plain) || has_common_middle(plain) ||
           std::ranges::find(kNumbers, std::string_view(plain)) != kNumbers.end();
}

std::optional<Complaint> check_new_password(std::string_view password, std::string_view phone) {
    if (!is_utf8(password)) return Rule::not_utf8;
    const auto length = count_characters(password);
    if (length < kLeast || length > kMost)
        return Complaint(Rule::characters_from_to, kLeast, kMost);
    if (has_control_characters(password, false)) return Rule::has_control_characters;
    if (is_phone_itself(password, phone)) return Rule::password_is_phone;
    if (is_common_password(password)) return Rule::common_password;
    return std::nullopt;
}

}  // namespace sluice
