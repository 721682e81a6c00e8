package io.asynq.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a class of payloads is enqueued with where nothing else is said; properties, the
 * task and the call override it, one by one. Durations are written like {@code 30s},
 * {@code 5m} or {@code PT5M}; what is not set is left to asynq's defaults.
 */
@Target({ ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface TaskDefaults {

	/**
	 * The type of task; needed to enqueue a payload without naming one.
	 * @return the type
	 */
	String type() default "";

	/**
	 * The queue (asynq D02).
	 * @return its name
	 */
	String queue() default "";

	/**
	 * How often the task is tried again (asynq D01).
	 * @return retries; less than zero for not set
	 */
	int maxRetry() default -1;

	/**
	 * How long one attempt may last (asynq D04).
	 * @return zero or at least one second
	 */
	String timeout() default "";

	/**
	 * How long a task that succeeded is kept (asynq D10).
	 * @return zero or at least one second
	 */
	String retention() default "";

	/**
	 * For how long a second task with the same payload is refused (asynq D07).
	 * @return at least one second
	 */
	String unique() default "";

}
