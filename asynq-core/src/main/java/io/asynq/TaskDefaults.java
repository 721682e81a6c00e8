package io.asynq;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Default options of tasks whose payload has this class, which properties, the options of
 * the task and those of the call override, one by one. Durations are written like
 * {@code 30s}, {@code 5m} or {@code PT5M}. Options that nothing sets have asynq's
 * defaults.
 */
@Target({ ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface TaskDefaults {

	/**
	 * The type of the tasks. With it, a payload can be enqueued without naming a type.
	 */
	String type() default "";

	/**
	 * The queue.
	 */
	String queue() default "";

	/**
	 * How often the task is retried; negative if not set.
	 */
	int maxRetry() default -1;

	/**
	 * How long one attempt may last: zero or at least one second.
	 */
	String timeout() default "";

	/**
	 * How long a task that succeeded is kept: zero or at least one second.
	 */
	String retention() default "";

	/**
	 * For how long a second task with the same type, payload and queue is refused: at
	 * least one second.
	 */
	String unique() default "";

}
