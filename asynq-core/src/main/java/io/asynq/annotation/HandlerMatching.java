package io.asynq.annotation;

import io.asynq.handler.TypePattern;

/**
 * How the {@link TaskHandler#type() type} of a handler matches the types of tasks.
 */
public enum HandlerMatching {

	/**
	 * A type matches exactly; one that ends in {@code :} or {@code *} is a prefix.
	 */
	EXACT {

		@Override
		public TypePattern pattern(String type) {
			if (type.endsWith("*")) {
				return TypePattern.prefix(type.substring(0, type.length() - 1));
			}
			return type.endsWith(":") ? TypePattern.prefix(type) : TypePattern.exact(type);
		}

	},

	/**
	 * Every type is a prefix, as with Go's {@code ServeMux}; {@code *} has no special
	 * meaning.
	 */
	PREFIX {

		@Override
		public TypePattern pattern(String type) {
			return TypePattern.prefix(type);
		}

	};

	/**
	 * Returns the pattern of task types that the type of a handler matches.
	 */
	public abstract TypePattern pattern(String type);

}
