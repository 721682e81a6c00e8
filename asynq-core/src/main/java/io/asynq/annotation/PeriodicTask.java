package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Enqueues a task periodically (docs/periodic-tasks.md).
 * <ul>
 * <li>On a {@link TaskHandler} method, it enqueues a task of the handler's type without
 * payload, so the method must not need one. The handler then runs in one of the
 * applications that have it.</li>
 * <li>On any other bean method without arguments, it enqueues what the method returns: a
 * {@link io.asynq.Task}, or the payload of one. The method is called at each fire. If
 * several applications have it, each of them calls it, but only one of the results is
 * enqueued. {@code null} enqueues nothing this time.</li>
 * </ul>
 * All attributes may have <code>${…}</code> and <code>#{…}</code>. Durations are written
 * like {@code 30s}, {@code 5m} or {@code PT5M}. The annotation is repeatable.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(PeriodicTasks.class)
@Documented
@Reflective
public @interface PeriodicTask {

	/**
	 * Same as {@link #cron()}.
	 * @return the spec
	 */
	@AliasFor("cron")
	String value() default "";

	/**
	 * When it fires: five cron fields (minute, hour, day of month, month, day of week),
	 * {@code @every 90s}, {@code @yearly}, {@code @monthly}, {@code @weekly},
	 * {@code @daily} or {@code @hourly}. {@code "-"} disables it: nothing is registered.
	 * @return the spec
	 */
	@AliasFor("value")
	String cron() default "";

	/**
	 * The time zone of the spec, such as {@code Europe/Berlin}.
	 * @return the name of the zone, not an offset; empty for {@code asynq.scheduler.zone}
	 */
	String zone() default "";

	/**
	 * The id of the entry, the same in all applications that have it.
	 * @return the id; by default made of the bean's name, the method, the spec and the
	 * zone
	 */
	String id() default "";

	/**
	 * The type of the tasks.
	 * @return the type; may be empty on a handler of one type, on a method that returns
	 * {@link io.asynq.Task}, and on one whose result has
	 * {@link io.asynq.client.TaskDefaults} with a type
	 */
	String type() default "";

	/**
	 * The queue of the tasks.
	 * @return its name; empty for the default
	 */
	String queue() default "";

	/**
	 * How often a task is retried.
	 * @return a number; empty for the default
	 */
	String maxRetry() default "";

	/**
	 * The id of every task. While a task with this id exists, in any state, no other is
	 * enqueued.
	 * @return the id; empty for a random one each time
	 */
	String taskId() default "";

	/**
	 * How long one attempt may last.
	 * @return a duration; empty for the default
	 */
	String timeout() default "";

	/**
	 * For how long a second task with the same type, payload and queue is refused.
	 * @return a duration; empty for no lock
	 */
	String unique() default "";

	/**
	 * A key of one's own by which tasks are unique, in place of the payload.
	 * @return the key, to be used with {@link #unique}; empty for the payload
	 */
	String uniqueKey() default "";

	/**
	 * Whether a task replaces an archived one with the same {@link #taskId}.
	 * @return {@code true} or {@code false}; empty for {@code false}
	 */
	String replaceArchived() default "";

	/**
	 * How long after the fire a task becomes pending.
	 * @return a duration; empty for at once
	 */
	String processIn() default "";

	/**
	 * How long a task that succeeded is kept.
	 * @return a duration; empty for the default
	 */
	String retention() default "";

	/**
	 * The group that collects the tasks.
	 * @return its name; empty for none
	 */
	String group() default "";

	/**
	 * Headers of the tasks.
	 * @return each as {@code name=value}
	 */
	String[] headers() default {};

	/**
	 * The policy for fires that were missed because no scheduler ran: {@code skip} or
	 * {@code once}.
	 * @return the policy; empty for {@code asynq.scheduler.missed-fires}
	 */
	String missedFires() default "";

}
