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
 * Makes a bean's method work on tasks (asynq H01–H03, H14).
 * <p>
 * Arguments, in any order: the payload as any type, a {@link io.asynq.Task}, a
 * {@link io.asynq.handler.TaskContext}, any number of
 * {@link org.springframework.messaging.handler.annotation.Header @Header}, and a
 * {@code Map<String, String>} with
 * {@link org.springframework.messaging.handler.annotation.Headers @Headers}. What the
 * method returns is kept as the task's result for as long as the task; what it throws has
 * the task retried, or not, see {@link io.asynq.SkipRetryException} and
 * {@link io.asynq.RevokeTaskException}. A payload that does not fit the argument archives
 * the task at once.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(TaskHandlers.class)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface TaskHandler {

	/**
	 * Same as {@link #type()}.
	 * @return the types
	 */
	@AliasFor("type")
	String[] value() default {};

	/**
	 * The types of task: each matches the type of this name and all types that begin with
	 * it; the exact one wins, then the longest. <code>${…}</code> and <code>#{…}</code>
	 * are resolved.
	 * @return the types
	 */
	@AliasFor("value")
	String[] type() default {};

	/**
	 * How many tasks of these types, taken together, may be worked on at the same time by
	 * all Java servers of the fleet; 0, the default, for any number. One that has to wait
	 * goes to {@code retry} for 1 to 5 s, which counts as no retry and no failure. A
	 * method that runs on beyond its task's deadline, because it ignores the interrupt,
	 * is not counted any more from a second after the deadline: one more may run beside
	 * it. It is a {@link io.asynq.handler.TaskSemaphore} with the scope {@code handler:}
	 * and the types in alphabetical order, separated by commas. Such tasks are best kept
	 * in a queue of their own: while many of them wait, others of their queue come
	 * slowly.
	 * @return the number
	 */
	int maxConcurrent() default 0;

}
