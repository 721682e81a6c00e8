package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;

final class ContextHeaders {

	private static final String PROPERTY = "asynq.context.headers";

	private ContextHeaders() {
	}

	/** The application's propagators come after that of the property. */
	static ContextPropagators join(List<String> names, Stream<ContextPropagator> beans) {
		try {
			Stream<ContextPropagator> mdc = names.isEmpty() ? Stream.empty() : Stream.of(ContextPropagator.mdc(names));
			return ContextPropagators.of(Stream.concat(mdc, beans).toList());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidAsynqPropertyException(PROPERTY, names, ex.getMessage() + ".");
		}
	}

}
