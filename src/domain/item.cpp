#include "domain/item.hpp"

#include <algorithm>
#include <set>

#include "base/web_url.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

bool is_currency(std::string_view text) {
    return text.size() == 3 &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// Pages show the picture, so only URLs are allowed that a browser loads as a picture.
bool is_image_url(std::string_view url) {
    if (url.empty()) return true;
    if (url.find_first_of(" \"'<>\\") != url.npos) return false;
    if (url.starts_with('/')) return !url.starts_with("//");
    const auto parts = UrlParts::split(url);
    return parts && parts->is_web();
}

bool is_picture(std::string_view url) {
    constexpr std::size_t kLongest = 2'000;
    return url.size() <= kLongest && !has_control_characters(url, false) && is_image_url(url);
}

void check_shelving(const Item& item, std::vector<FieldError>& errors) {
    if (count_characters(item.category) > kMaxCategoryLength)
        errors.push_back({"category", Complaint(Rule::most_characters, kMaxCategoryLength)});
    else if (has_control_characters(item.category, false))
        errors.push_back({"category", Rule::has_control_characters});
    const auto good = [](const std::string& url) { return !url.empty() && is_picture(url); };
    const std::set<std::string_view> different(item.pictures.begin(), item.pictures.end());
    if (item.pictures.size() > kMaxPictures || different.size() < item.pictures.size() ||
        !std::ranges::all_of(item.pictures, good))
        errors.push_back({"pictures", Complaint(Rule::not_pictures, kMaxPictures)});
}

std::vector<FieldError> check(const Item& item) {
    std::vector<FieldError> errors;
    const auto title_length = count_characters(item.title);
    if (title_length < 1 || title_length > 200)
        errors.push_back({"title", Complaint(Rule::characters_from_to, 1, 200)});
    else if (has_control_characters(item.title, false))
        errors.push_back({"title", Rule::has_control_characters});
    if (count_characters(item.description) > 10'000)
        errors.push_back({"description", Complaint(Rule::most_characters, 10000)});
    else if (has_control_characters(item.description, true))
        errors.push_back({"description", Rule::has_control_characters});
    if (!is_picture(item.image_url)) errors.push_back({"image_url", Rule::not_picture});
    if (auto wrong = check_price(item.list_price_cents))
        errors.push_back({"list_price_cents", *wrong});
    if (!is_currency(item.currency)) errors.push_back({"currency", Rule::not_currency});
    check_shelving(item, errors);
    return errors;
}

Item with_archived(Item item, bool archived) {
    if (item.archived != archived) item.version += 1;
    item.archived = archived;
    return item;
}

}  // namespace

std::optional<Complaint> check_price(std::int64_t cents) {
    if (cents >= 0 && cents <= kMaxPriceCents) return std::nullopt;
    return Complaint(Rule::from_to, 0, kMaxPriceCents);
}

Outcome<Item> create_item(const ItemDraft& draft, ItemId id, Timestamp now) {
    std::vector<FieldError> missing;
    if (!draft.title) missing.push_back({"title", Rule::missing});
    if (!draft.list_price_cents) missing.push_back({"list_price_cents", Rule::missing});
    if (!draft.currency) missing.push_back({"currency", Rule::missing});
    if (!missing.empty()) return refuse(std::move(missing));

    Item item{.id = id,
              .title = *draft.title,
              .description = draft.description.value_or(""),
              .image_url = draft.image_url.value_or(""),
              .list_price_cents = *draft.list_price_cents,
              .currency = *draft.currency,
              .version = 1,
              .created_at = now,
              .category = std::string(trimmed(draft.category.value_or(""))),
              .pictures = draft.pictures.value_or(std::vector<std::string>{})};
    if (auto errors = check(item); !errors.empty()) return refuse(std::move(errors));
    return item;
}

Outcome<Item> edit_item(const Item& before, const ItemDraft& draft, bool has_sales) {
    Item item = before;
    item.title = draft.title.value_or(item.title);
    item.description = draft.description.value_or(item.description);
    item.image_url = draft.image_url.value_or(item.image_url);
    item.list_price_cents = draft.list_price_cents.value_or(item.list_price_cents);
    item.currency = draft.currency.value_or(item.currency);
    if (draft.category) item.category = trimmed(*draft.category);
    item.pictures = draft.pictures.value_or(item.pictures);
    auto errors = check(item);
    if (has_sales && item.currency != before.currency)
        errors.push_back({"currency", Rule::currency_on_sale});
    if (!errors.empty()) return refuse(std::move(errors));
    if (item != before) item.version += 1;
    return item;
}

Item archive_item(const Item& before) {
    return with_archived(before, true);
}

Item restore_item(const Item& before) {
    return with_archived(before, false);
}

}  // namespace sluice
