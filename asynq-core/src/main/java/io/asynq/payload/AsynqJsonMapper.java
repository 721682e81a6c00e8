package io.asynq.payload;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonFormat;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Makes the JSON mapper of the queue, for those who build it themselves. Payloads outlive
 * a deployment and are read by other programs, so their form depends neither on what an
 * application's web layer needs nor on Jackson's defaults.
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
	 * a getter in the order of their names, maps, trees and sets in the order of what is
	 * written, so that equal objects are equal payloads.
	 * <li>Numbers keep their digits where no type is declared for them.
	 * <li>A payload names no class, except one that its type has registered. Type ids are
	 * written wherever an object is, in untyped collections as well. Constants of enums
	 * have their names; an unknown one is that with {@code @JsonEnumDefaultValue}, if
	 * there is one.
	 * <li>What would be lost is refused: objects without properties, and those that only
	 * look as if they had some, such as JSON types of other libraries.
	 * </ul>
	 * Modules of Jackson on the class path are added.
	 */
	public static JsonMapper.Builder builder() {
		JsonFactory sorting = JsonFactory.builder().addDecorator((factory, json) -> new SortingGenerator(json)).build();
		return JsonMapper.builder(sorting)
			.findAndAddModules(AsynqJsonMapper.class.getClassLoader())
			.addModule(new SimpleModule("asynq").addDeserializer(Duration.class, new DurationTexts())
				.setSerializerModifier(new StableOrder()))
			.addModule(new SimpleModule("asynq-types").setSerializerModifier(new FaithfulTypes()))
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.enable(DeserializationFeature.FAIL_ON_SUBTYPE_CLASS_NOT_REGISTERED,
					DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
					DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
			.disable(EnumFeature.READ_ENUMS_USING_TO_STRING, EnumFeature.WRITE_ENUMS_USING_TO_STRING)
			.enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS, EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
			.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
	}

	/**
	 * Makes a mapper write durations as whole nanoseconds, as {@code time.Duration} is in
	 * Go, and read both nanoseconds and ISO 8601 texts. A {@code @JsonFormat} on a field
	 * takes precedence.
	 */
	public static void durationsAsNanoseconds(JsonMapper.Builder builder) {
		builder.enable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.withConfigOverride(Duration.class, (override) -> override.setFormat(JsonFormat.Value.forPattern("NANOS")));
	}

}
