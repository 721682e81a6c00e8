package io.asynq.payload;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonFormat;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Makes the JSON mapper of the queue, for those who build it themselves. Payloads outlive
 * a deployment and are read by other programs, so their form depends neither on what an
 * application's web layer needs nor on what Jackson happens to do by default.
 */
public final class AsynqJsonMapper {

	private AsynqJsonMapper() {
	}

	/**
	 * Returns a builder that reads and writes as users of Go's {@code encoding/json} do.
	 * <ul>
	 * <li>Unknown fields are ignored. What is missing or {@code null} is the zero value
	 * of a Java primitive. A fraction is no whole number.
	 * <li>Times are ISO 8601 texts and keep their offset. Durations are ISO 8601 texts;
	 * numbers are refused, because they do not tell their unit.
	 * <li>Fields are written in the order of their declaration, properties that have only
	 * a getter in the order of their names, and maps in the order of their keys, or of
	 * the texts of keys that cannot be compared, so that equal objects are equal
	 * payloads.
	 * <li>A payload names no class, except one that its type has registered. An unknown
	 * constant of an enum is the one with {@code @JsonEnumDefaultValue}, if there is one.
	 * </ul>
	 * Modules of Jackson on the class path are added.
	 * @return a new builder
	 */
	public static JsonMapper.Builder builder() {
		return JsonMapper.builder()
			.findAndAddModules(AsynqJsonMapper.class.getClassLoader())
			.addModule(new SimpleModule("asynq").addDeserializer(Duration.class, new DurationTexts())
				.setSerializerModifier(new StableOrder()))
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.enable(DeserializationFeature.FAIL_ON_SUBTYPE_CLASS_NOT_REGISTERED)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
					DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
			.enable(EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
			.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
			.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
	}

	/**
	 * Makes a mapper write durations as whole nanoseconds, as {@code time.Duration} is in
	 * Go, and read both nanoseconds and ISO 8601 texts. A {@code @JsonFormat} on a field
	 * takes precedence.
	 * @param builder the builder of any mapper
	 */
	public static void durationsAsNanoseconds(JsonMapper.Builder builder) {
		builder.enable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.withConfigOverride(Duration.class, (override) -> override.setFormat(JsonFormat.Value.forPattern("NANOS")));
	}

}
