package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.MethodValidationException;
import org.springframework.validation.method.ParameterValidationResult;

/**
 * What Spring finds wrong with an argument before it calls a method of a
 * {@code @Validated} class, without the value.
 */
record InvalidArgument(int parameter, @Nullable Integer element, String problem) {

	private static final boolean BEAN_VALIDATION = ClassUtils.isPresent("jakarta.validation.Validator",
			InvalidArgument.class.getClassLoader());

	/**
	 * Empty if the exception is not about arguments, or about those of another method.
	 */
	static List<InvalidArgument> of(RuntimeException error, Method method) {
		if (error instanceof MethodValidationException invalid) {
			return (invalid.isForReturnValue() || !isCall(invalid.getMethod().getName(),
					invalid.getMethod().getParameterCount(), invalid.getTarget().getClass(), method)) ? List.of()
							: invalid.getParameterValidationResults().stream().flatMap(InvalidArgument::read).toList();
		}
		return BEAN_VALIDATION ? Violations.of(error, method) : List.of();
	}

	private static Stream<InvalidArgument> read(ParameterValidationResult result) {
		String argument = name(result.getMethodParameter().getParameterName(),
				result.getMethodParameter().getParameterIndex());
		return result.getResolvableErrors()
			.stream()
			.map((error) -> new InvalidArgument(result.getMethodParameter().getParameterIndex(),
					result.getContainerIndex(),
					argument + ((error instanceof FieldError field) ? "." + field.getField() : "") + " "
							+ error.getDefaultMessage()));
	}

	private static String name(@Nullable String parameter, int index) {
		return (parameter != null) ? parameter : "argument " + (index + 1);
	}

	/** Types may differ: an interface may have a type variable. */
	private static boolean isCall(String name, int arguments, Class<?> bean, Method method) {
		return name.equals(method.getName()) && arguments == method.getParameterCount()
				&& method.getDeclaringClass().isAssignableFrom(bean);
	}

	/** Apart, because Bean Validation may be absent. */
	private static final class Violations {

		static List<InvalidArgument> of(RuntimeException error, Method method) {
			return (error instanceof ConstraintViolationException invalid) ? invalid.getConstraintViolations()
				.stream()
				.flatMap((violation) -> read(violation, method))
				.toList() : List.of();
		}

		private static Stream<InvalidArgument> read(ConstraintViolation<?> violation, Method method) {
			Iterator<Path.Node> path = violation.getPropertyPath().iterator();
			Path.Node call = path.next();
			if (call.getKind() != ElementKind.METHOD || !isCall(call.getName(),
					call.as(Path.MethodNode.class).getParameterTypes().size(), violation.getRootBeanClass(), method)) {
				return Stream.empty();
			}
			Path.Node argument = path.next();
			if (argument.getKind() != ElementKind.PARAMETER) {
				return Stream.empty();
			}
			String where = violation.getPropertyPath().toString().substring(call.getName().length() + 1);
			return Stream.of(new InvalidArgument(argument.as(Path.ParameterNode.class).getParameterIndex(),
					path.hasNext() ? path.next().getIndex() : null, where + " " + violation.getMessage()));
		}

	}

}
