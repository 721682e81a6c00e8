package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * How failed tasks of a {@link TaskHandler} method are retried, or of all such methods of
 * a class, which the method's annotation replaces. On any other method it is a mistake,
 * which ends the start. It holds for tasks of every client, in the terms of Spring's
 * {@code @Retryable}; how often a task is retried is written in the task
 * ({@link TaskHandler#maxRetry()}). The properties {@code asynq.server.retry} override
 * it, one by one. Texts may have <code>${…}</code> and <code>#{…}</code>.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface TaskRetry {

	/**
	 * Same as {@link #includes()}.
	 */
	@AliasFor("includes")
	Class<? extends Throwable>[] value() default {};

	/**
	 * The only errors that are retried, subclasses and causes included; none for all
	 * errors. Others archive the task at once. A passed deadline, a cancellation and the
	 * death of a server are retried all the same.
	 */
	@AliasFor("value")
	Class<? extends Throwable>[] includes() default {};

	/**
	 * Errors that archive the task at once, subclasses and causes included. They win over
	 * those that are included.
	 */
	Class<? extends Throwable>[] excludes() default {};

	/**
	 * How long a task waits after its first failure, like {@code 30s} or {@code PT5M};
	 * default 1 s. Without any delay, jitter, multiplier, longest delay and back-off, the
	 * {@link io.asynq.RetryDelayPolicy} decides. The time of a retry is cut to whole
	 * seconds.
	 */
	String delay() default "";

	/**
	 * By how much each delay is made longer or shorter at most, at random, like
	 * {@code 5s}; default none. It grows with the delay.
	 */
	String jitter() default "";

	/**
	 * By what each delay is multiplied for the next one; at least 1, the default.
	 */
	double multiplier() default 1;

	/**
	 * The longest delay, like {@code 1h}; default no limit.
	 */
	String maxDelay() default "";

	/**
	 * The name of a {@link org.springframework.util.backoff.BackOff} bean that computes
	 * the delays, instead of the attributes above; safe for concurrent use. A task for
	 * which it stops is archived.
	 */
	String backOff() default "";

}
