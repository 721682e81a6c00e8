package io.asynq.internal.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.asynq.Task;
import io.asynq.internal.text.OneLineLogger;
import jakarta.validation.Validator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Loads the classes of Bean Validation only if they are present.
 */
final class PayloadValidation {

	private static final Logger logger = OneLineLogger.of(PayloadValidation.class);

	private static final boolean PRESENT = ClassUtils.isPresent("jakarta.validation.Validator",
			PayloadValidation.class.getClassLoader());

	/** Bounds the text, which is stored with the task. */
	private static final int MOST = 10;

	private final Validator validator;

	private final Class<?>[] groups;

	private PayloadValidation(Validator validator, Class<?>[] groups) {
		this.validator = validator;
		this.groups = groups;
	}

	static @Nullable PayloadValidation of(MethodParameter parameter, BeanFactory beans) {
		Object[] hints = hints(parameter);
		if (hints == null) {
			return null;
		}
		Validator validator = PRESENT ? beans.getBeanProvider(Validator.class).getIfAvailable() : null;
		if (validator == null) {
			logger.warn("The payload of {} is not validated: there is no jakarta.validation.Validator bean, which"
					+ " spring-boot-starter-validation provides", parameter.getExecutable());
			return null;
		}
		return new PayloadValidation(validator,
				Stream.of(hints)
					.filter(Class.class::isInstance)
					.map((group) -> (Class<?>) group)
					.toArray(Class[]::new));
	}

	List<String> violations(Object payload) {
		Stream<?> values = (payload instanceof Iterable<?> many) ? StreamSupport.stream(many.spliterator(), false)
				: Stream.of(payload);
		return values.flatMap((value) -> this.validator.validate(value, this.groups).stream())
			.map((violation) -> violation.getPropertyPath() + " " + violation.getMessage())
			.toList();
	}

	static String describe(Task task, Method method, Stream<String> violations) {
		return "Payload of task type '" + task.type() + "' is not valid for " + BeanMethod.describe(method) + ": "
				+ violations.sorted().limit(MOST).collect(Collectors.joining("; "));
	}

	private static Object @Nullable [] hints(MethodParameter parameter) {
		for (Annotation annotation : parameter.getParameterAnnotations()) {
			Object[] hints = ValidationAnnotationUtils.determineValidationHints(annotation);
			if (hints != null) {
				return hints;
			}
		}
		return null;
	}

}
