package io.asynq.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Default options of tasks whose payload has this class. Properties, the options of the
 * task and those of the call override them, one by one. Durations are written like
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
	 * @return the type
	 */
	String type() default "";

	/**
	 * The queue.
	 * @return its name
	 */
	String queue() default "";

	/**
	 * How often the task is retried.
	 * @return number of retries, negative if not set
	 */
	int maxRetry() default -1;

	/**
	 * How long one attempt may last.
	 * @return zero or at least one second
	 */
	String timeout() default "";

	/**
	 * How long a task that succeeded is kept.
	 * @return zero or at least one second
	 */
	String retention() default "";

	/**
	 * For how long a second task with the same type, payload and queue is refused.
	 * @return at least one second
	 */
	String unique() default "";

}
