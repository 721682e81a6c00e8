package io.asynq.payload;

import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * Writes the entries of a map in the order of their keys even if these cannot be compared
 * with each other, such as numbers and texts: then in the order of the keys' texts.
 * Jackson refuses to order such maps, or writes them in any order.
 */
final class OrderedMaps extends ValueSerializer<Map<?, ?>> {

	private static final Comparator<Object> BY_TEXT = Comparator.<Object, String>comparing(String::valueOf)
		.thenComparing((key) -> key.getClass().getName());

	private final ValueSerializer<Object> entries;

	@SuppressWarnings("unchecked")
	OrderedMaps(ValueSerializer<?> entries) {
		this.entries = (ValueSerializer<Object>) entries;
	}

	@Override
	public ValueSerializer<?> createContextual(SerializationContext context, BeanProperty property) {
		return new OrderedMaps(context.handleSecondaryContextualization(this.entries, property));
	}

	@Override
	public void serialize(Map<?, ?> map, JsonGenerator json, SerializationContext context) {
		this.entries.serialize(ordered(map, context), json, context);
	}

	@Override
	public void serializeWithType(Map<?, ?> map, JsonGenerator json, SerializationContext context,
			TypeSerializer type) {
		this.entries.serializeWithType(map, json, context, type);
	}

	@Override
	public boolean isEmpty(SerializationContext context, Map<?, ?> map) {
		return this.entries.isEmpty(context, map);
	}

	private static Map<?, ?> ordered(Map<?, ?> map, SerializationContext context) {
		if (map instanceof SortedMap || map.keySet().stream().anyMatch(Objects::isNull)
				|| !context.isEnabled(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)) {
			return map;
		}
		try {
			return new TreeMap<>(map);
		}
		catch (ClassCastException ex) {
			Map<Object, Object> ordered = new TreeMap<>(BY_TEXT);
			ordered.putAll(map);
			// Two keys with the same text would be one
			return (ordered.size() == map.size()) ? ordered : map;
		}
	}

}
