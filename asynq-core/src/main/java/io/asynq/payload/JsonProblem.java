package io.asynq.payload;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jackson's own messages quote the payload, and so do its paths, whose names may be keys
 * of a map: a name is told only if the class declares it.
 */
final class JsonProblem {

	/** A payload decides how deep a path is. */
	private static final int MAX_STEPS = 20;

	private static final String HIDDEN = "*";

	private final JsonMapper mapper;

	JsonProblem(JsonMapper mapper) {
		this.mapper = mapper;
	}

	String describe(RuntimeException error) {
		String kind = error.getClass().getSimpleName();
		if (!(error instanceof JacksonException problem)) {
			return " (" + kind + ")";
		}
		Throwable cause = problem.getCause();
		String kinds = (cause != null) ? kind + ", " + cause.getClass().getName() : kind;
		return " at " + place(problem) + reason(problem) + " (" + kinds + ")";
	}

	private String place(JacksonException problem) {
		List<Reference> steps = problem.getPath();
		List<Reference> shown = steps.subList(Math.max(0, steps.size() - MAX_STEPS), steps.size());
		StringBuilder path = new StringBuilder((shown.size() < steps.size()) ? "$…" : "$");
		String field = "";
		for (Reference step : shown) {
			if (step.getPropertyName() == null) {
				path.append('[').append((step.getIndex() >= 0) ? step.getIndex() : HIDDEN).append(']');
			}
			else if (isDeclared(step)) {
				path.append('.').append(step.getPropertyName());
				field = ", field " + step.getPropertyName() + " of " + type(step).getName();
			}
			else {
				path.append('.').append(HIDDEN);
			}
		}
		return path + field;
	}

	private static String reason(JacksonException problem) {
		if (problem instanceof UnwritableException) {
			return ": " + problem.getOriginalMessage();
		}
		TokenStreamLocation location = problem.getLocation();
		if (problem instanceof StreamReadException && location != null) {
			return ": not valid JSON, line " + location.getLineNr() + ", column " + location.getColumnNr();
		}
		Class<?> type = typeOf(problem);
		String what = (problem instanceof PropertyBindingException) ? ": no field of " : ": no ";
		return (type != null) ? what + ClassUtils.getQualifiedName(type) : "";
	}

	private static @Nullable Class<?> typeOf(JacksonException problem) {
		if (problem instanceof PropertyBindingException unknown) {
			return unknown.getReferringClass();
		}
		JavaType type = null;
		if (problem instanceof InvalidTypeIdException unknown) {
			type = unknown.getBaseType();
		}
		else if (problem instanceof ValueInstantiationException refused) {
			type = refused.getType();
		}
		else if (problem instanceof InvalidDefinitionException unusable) {
			type = unusable.getType();
		}
		else if (problem instanceof MismatchedInputException mismatch) {
			return mismatch.getTargetType();
		}
		return (type != null) ? type.getRawClass() : null;
	}

	private boolean isDeclared(Reference step) {
		if (step.from() == null || Map.class.isAssignableFrom(type(step))) {
			return false;
		}
		try {
			JavaType type = this.mapper.constructType(type(step));
			ClassIntrospector reading = this.mapper.deserializationConfig().classIntrospectorInstance();
			ClassIntrospector writing = this.mapper.serializationConfig().classIntrospectorInstance();
			return declares(reading.introspectForDeserialization(type, reading.introspectClassAnnotations(type)), step)
					|| declares(writing.introspectForSerialization(type, writing.introspectClassAnnotations(type)),
							step);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static boolean declares(BeanDescription description, Reference step) {
		return description.findProperties()
			.stream()
			.anyMatch((field) -> field.getName().equals(step.getPropertyName()));
	}

	private static Class<?> type(Reference step) {
		return (step.from() instanceof Class<?> type) ? type : step.from().getClass();
	}

}
