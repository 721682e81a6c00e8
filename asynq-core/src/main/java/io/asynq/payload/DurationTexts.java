package io.asynq.payload;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.ext.javatime.deser.DurationDeserializer;

/**
 * Jackson takes a number for seconds, so a minute of Go would become 1,900 years without
 * a word; numbers are read only where the mapper or the field writes them.
 */
final class DurationTexts extends DurationDeserializer {

	@Override
	public ValueDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
		JsonFormat.Value format = findFormatOverrides(context, property, handledType());
		boolean numbers = context.isEnabled(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
				|| (format != null && (format.hasPattern() || format.getShape().isNumeric()));
		return numbers ? DurationDeserializer.INSTANCE.createContextual(context, property) : this;
	}

	@Override
	public Duration deserialize(JsonParser parser, DeserializationContext context) throws JacksonException {
		return parser.currentToken().isNumeric()
				? (Duration) context.handleUnexpectedToken(getValueType(context), parser)
				: super.deserialize(parser, context);
	}

}
