package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.Task;
import io.asynq.TaskDefaults;
import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.internal.text.GoText;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

final class PeriodicTaskMethod {

	private static final String NEVER = "-";

	/** A method without arguments needs a message all the same. */
	private static final Message<String> NOTHING = new GenericMessage<>("");

	private final ConfigurableBeanFactory beanFactory;

	private final MethodTaskHandlerFactory handlers;

	private final BeanMethod bean;

	private final Method method;

	PeriodicTaskMethod(ConfigurableBeanFactory beanFactory, MethodTaskHandlerFactory handlers, BeanMethod bean) {
		this.beanFactory = beanFactory;
		this.handlers = handlers;
		this.bean = bean;
		this.method = bean.method();
	}

	@Nullable PeriodicTaskDefinition read(PeriodicTask annotation) {
		PeriodicTaskAttributes attributes = new PeriodicTaskAttributes(this.beanFactory);
		String cron = attributes.text("cron", annotation.cron());
		if (NEVER.equals(cron)) {
			return null;
		}
		if (cron == null) {
			throw problem("it has no spec: give it one, as in @PeriodicTask(cron = \"0 3 * * *\")");
		}
		String type = attributes.text("type", annotation.type());
		PeriodicTaskDefinition task = isHandler() ? handlerTask(cron, type) : payloadTask(cron, type);
		String zone = attributes.text("zone", annotation.zone());
		String id = attributes.text("id", annotation.id());
		String own = this.bean.beanName() + "." + this.method.getName();
		task = task.id((id != null) ? id : PeriodicTaskDefinition.defaultId(own, cron, zone))
			.options((options) -> attributes.apply(annotation, options));
		task = (zone != null) ? task.zone(zone) : task;
		MissedFirePolicy policy = attributes.policy(annotation.missedFires());
		return (policy != null) ? task.missedFires(policy) : task;
	}

	@Override
	public String toString() {
		return this.bean.toString();
	}

	private boolean isHandler() {
		return AnnotatedElementUtils.hasAnnotation(this.method, TaskHandler.class)
				|| AnnotatedElementUtils.hasAnnotation(this.method, TaskHandlers.class);
	}

	private PeriodicTaskDefinition handlerTask(String cron, @Nullable String type) {
		Type payload = this.handlers.requiredPayload(this.bean);
		if (payload != null) {
			throw problem(
					"it needs a payload of type " + payload.getTypeName() + ", but its periodic tasks have none, so"
							+ " each would be archived: remove the argument, declare it @Nullable or Optional, or move"
							+ " @PeriodicTask to a method that returns the payload");
		}
		if (type != null) {
			return PeriodicTaskDefinition.of(cron, Task.of(type, (byte[]) null));
		}
		Set<String> types = new LinkedHashSet<>();
		Set<String> exact = new LinkedHashSet<>();
		for (TaskHandler handler : AnnotatedElementUtils.findMergedRepeatableAnnotations(this.method, TaskHandler.class,
				TaskHandlers.class)) {
			types.addAll(List.of(handler.type()));
			exact.addAll(List.of(handler.exact()));
		}
		types.addAll(exact);
		if (types.size() != 1) {
			throw problem("it handles the types " + types + ": name the one to enqueue, as @PeriodicTask(type = …)");
		}
		String only = new PeriodicTaskAttributes(this.beanFactory).text("type", types.iterator().next());
		if (only != null && exact.isEmpty() && HandlerMatching.EXACT.pattern(only).prefix()) {
			throw problem("it handles all types with the prefix '" + only
					+ "': name the one to enqueue, as @PeriodicTask(type = …)");
		}
		return PeriodicTaskDefinition.of(cron, Task.of((only != null) ? only : "", (byte[]) null));
	}

	private PeriodicTaskDefinition payloadTask(String cron, @Nullable String type) {
		Class<?> returned = this.bean.returnedClass();
		List<String> problems = this.bean.problems();
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
		if (this.method.getParameterCount() > 0) {
			throw problem("it has arguments, which cannot be resolved: remove them, or make it a @TaskHandler");
		}
		if (returned == void.class || returned == Void.class) {
			throw problem("it returns nothing: return the payload or a Task, or make it a @TaskHandler");
		}
		if (HandlerSignature.isAsynchronous(returned)) {
			throw problem("it returns " + returned.getName() + ": return the payload itself or a Task");
		}
		if (type == null && !Task.class.isAssignableFrom(returned) && !hasTypeOfItsOwn(returned)) {
			throw problem("it has no type for the payload that it returns: name it, as @PeriodicTask(type = …)");
		}
		return PeriodicTaskDefinition.calling(cron, (type != null) ? type : "",
				new Call(this.bean.invocable(), ResolvableType.forType(this.bean.returnedType())));
	}

	/**
	 * Tells the declared type, which the converter needs to know the types of elements.
	 */
	private record Call(TaskHandlerMethod method,
			ResolvableType returned) implements Callable<@Nullable Object>, ResolvableTypeProvider {

		@Override
		public @Nullable Object call() throws Exception {
			return this.method.invoke(NOTHING);
		}

		@Override
		public ResolvableType getResolvableType() {
			return this.returned;
		}

	}

	private static boolean hasTypeOfItsOwn(Class<?> payload) {
		TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(payload, TaskDefaults.class);
		return defaults != null && !GoText.isBlank(defaults.type());
	}

	private static InvalidPeriodicTaskException problem(String problem) {
		return new InvalidPeriodicTaskException(List.of(problem));
	}

}
