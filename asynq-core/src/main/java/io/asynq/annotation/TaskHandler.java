package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;
import org.springframework.messaging.handler.annotation.MessageMappingReflectiveProcessor;

/**
 * Marks a bean's method that processes tasks. The method must be idempotent, because a
 * task can run more than once.
 *
 * <pre class="code">
 * &#064;TaskHandler("email:welcome")
 * void send(Welcome mail) {
 * 	this.mailer.send(mail.address(), "Welcome!");
 * }
 * </pre>
 *
 * <p>
 * It may have these arguments, in any order: the payload as any type, a
 * {@link io.asynq.Task}, a {@link io.asynq.handler.TaskContext}, any number of
 * {@link org.springframework.messaging.handler.annotation.Header @Header} arguments, a
 * {@code Map<String, String>} with
 * {@link org.springframework.messaging.handler.annotation.Headers @Headers}, and whatever
 * beans of type
 * {@link org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver}
 * support, which get the task from {@link TaskInvocation#of}.
 * <p>
 * The return value is stored as the task's result for the task's retention, without which
 * it is ignored. If it cannot be converted, the task completes without it and a warning
 * is logged. After an exception the task is retried, except after
 * {@link io.asynq.handler.SkipRetryException},
 * {@link io.asynq.handler.RevokeTaskException} and
 * {@link io.asynq.handler.PostponeTaskException}. The task is archived at once if its
 * payload or a required header is missing or cannot be converted, or if Bean Validation
 * is present and finds the payload invalid ({@code @Valid} or {@code @Validated} on the
 * argument, or {@code @Validated} on the class).
 * <p>
 * The application does not start if the method would run in another thread
 * ({@code @Async}), or on a proxy that cannot override it (docs/tasks.md).
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(TaskHandlers.class)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface TaskHandler {

	/**
	 * Same as {@link #type()}.
	 */
	@AliasFor("type")
	String[] value() default {};

	/**
	 * The task types. A type matches exactly, except for prefixes: one that ends in
	 * {@code :}, such as {@code report:}, matches all types that begin with it; one that
	 * ends in {@code *}, such as {@code report*}, matches all types that begin with the
	 * text before the asterisk. An exact match wins, then the longest prefix. With
	 * {@code asynq.server.handler-matching=prefix} every type is a prefix, as in Go, and
	 * {@code *} has no special meaning. May have <code>${…}</code> and <code>#{…}</code>.
	 */
	@AliasFor("value")
	String[] type() default {};

	/**
	 * Task types that match exactly, even if they end in {@code :} or {@code *}. May have
	 * <code>${…}</code> and <code>#{…}</code>.
	 */
	String[] exact() default {};

	/**
	 * Names of limits that apply to these tasks on all Java servers, as configured under
	 * {@code asynq.limits}. A task runs when it has a token of each of them; until then
	 * it waits in {@code retry}, which counts neither as a retry nor as a failure. May
	 * have <code>${…}</code> and <code>#{…}</code>.
	 */
	String[] limit() default {};

	/**
	 * How many tasks of these types together may run at the same time on all Java
	 * servers; 0, the default, for no limit. A short form for a {@link #limit()} of this
	 * handler alone, whose name is {@code handler:} and the types in alphabetical order,
	 * separated by commas.
	 */
	int maxConcurrent() default 0;

	/**
	 * How long a failed task waits for each retry, whoever enqueued it, instead of what
	 * the {@link io.asynq.RetryDelayPolicy} says: zero or more, like {@code 30s} or
	 * {@code PT5M}, cut to whole seconds. {@link TaskRetry} has more. May have
	 * <code>${…}</code> and <code>#{…}</code>.
	 */
	String retryDelay() default "";

	/**
	 * How often tasks are retried that this application enqueues; negative if not set.
	 * The number is written in the task, so tasks that a Go client or another application
	 * has enqueued keep theirs. {@code @TaskDefaults}, properties, the options of the
	 * task and those of the call override it.
	 */
	int maxRetry() default -1;

	/**
	 * How long one attempt may last at tasks that this application enqueues: zero or at
	 * least one second, like {@code 30s} or {@code PT5M}. The same holds as for
	 * {@link #maxRetry()}. May have <code>${…}</code> and <code>#{…}</code>.
	 */
	String timeout() default "";

}
