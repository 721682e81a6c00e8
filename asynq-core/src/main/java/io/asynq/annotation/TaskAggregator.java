package io.asynq.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.messaging.handler.annotation.MessageMappingReflectiveProcessor;

/**
 * Makes a bean's method turn the tasks of a group into one (asynq F20, L01).
 * <p>
 * Arguments: a {@code List} of payloads of any type, or a {@code List} of
 * {@link io.asynq.Task}, and, if wanted, a {@code String}, which is the name of the
 * group. What the method returns is the payload of the task that takes their place, or
 * that {@link io.asynq.Task} itself, with options of its own. Tasks whose payload does
 * not fit are archived; when the method throws or returns {@code null}, the tasks go back
 * to their group and are tried again after a growing pause.
 * <p>
 * In all values <code>${…}</code> and <code>#{…}</code> are resolved.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface TaskAggregator {

	/**
	 * The queue of the groups. A method of a queue comes before those of all queues. If
	 * the application has a server, it must serve the queue: else the method would never
	 * be asked, and the application does not start.
	 * @return the queue, by default all queues
	 */
	String queue() default "";

	/**
	 * What the names of the groups begin with; the method with the longest prefix is
	 * asked.
	 * @return the prefix, by default all groups
	 */
	String group() default "";

	/**
	 * The type of the task that takes the place of the others. Required if the method
	 * returns a payload; a {@link io.asynq.Task} has its own.
	 * @return the type
	 */
	String type() default "";

}
