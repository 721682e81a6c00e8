package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.asynq.Task;
import io.asynq.TaskDefaults;
import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.PeriodicTasks;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/**
 * Runs once all singletons exist, creates no bean, and reports all mistakes at once.
 */
public final class PeriodicTaskMethodRegistrar implements SmartInitializingSingleton {

	private static final Logger logger = OneLineLogger.of(PeriodicTaskMethodRegistrar.class);

	private static final String NEVER = "-";

	/** A method without arguments needs a message all the same. */
	private static final Message<String> NOTHING = new GenericMessage<>("");

	private final ObjectProvider<AsynqScheduler> schedulers;

	private final PayloadConverter converter;

	private final ConfigurableListableBeanFactory beanFactory;

	public PeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers, PayloadConverter converter,
			ConfigurableListableBeanFactory beanFactory) {
		this.schedulers = schedulers;
		this.converter = converter;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		AsynqScheduler scheduler = this.schedulers.getIfAvailable();
		if (scheduler == null) {
			logger.debug("There is no scheduler, so no @PeriodicTask method is registered");
			return;
		}
		List<String> problems = new ArrayList<>();
		new BeanMethods<>(this.beanFactory, PeriodicTask.class, PeriodicTaskMethodRegistrar::annotations,
				PeriodicTaskMethodRegistrar.class)
			.forEach((method, annotations) -> annotations
				.forEach((annotation) -> register(scheduler, method, annotation, problems)));
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
	}

	private static @Nullable Set<PeriodicTask> annotations(Method method) {
		Set<PeriodicTask> found = new LinkedHashSet<>(
				AnnotatedElementUtils.findMergedRepeatableAnnotations(method, PeriodicTask.class, PeriodicTasks.class));
		return found.isEmpty() ? null : found;
	}

	private void register(AsynqScheduler scheduler, BeanMethod method, PeriodicTask annotation, List<String> problems) {
		try {
			PeriodicTaskDefinition task = read(method, annotation);
			if (task != null) {
				scheduler.register(task);
			}
		}
		catch (InvalidPeriodicTaskException ex) {
			ex.problems().forEach((problem) -> problems.add("@PeriodicTask method " + method + ": " + problem));
		}
	}

	private @Nullable PeriodicTaskDefinition read(BeanMethod bean, PeriodicTask annotation) {
		PeriodicTaskAttributes attributes = new PeriodicTaskAttributes(this.beanFactory);
		String cron = attributes.text("cron", annotation.cron());
		if (NEVER.equals(cron)) {
			return null;
		}
		if (cron == null) {
			throw problem("it has no spec: give it one, as in @PeriodicTask(cron = \"0 3 * * *\")");
		}
		String type = attributes.text("type", annotation.type());
		PeriodicTaskDefinition task = isHandler(bean.method()) ? handlerTask(bean, cron, type)
				: payloadTask(bean, cron, type);
		String zone = attributes.text("zone", annotation.zone());
		String id = attributes.text("id", annotation.id());
		String own = bean.beanName() + "." + bean.method().getName();
		task = task.id((id != null) ? id : PeriodicTaskDefinition.defaultId(own, cron, zone))
			.options((options) -> attributes.apply(annotation, options));
		task = (zone != null) ? task.zone(zone) : task;
		MissedFirePolicy policy = attributes.policy(annotation.missedFires());
		return (policy != null) ? task.missedFires(policy) : task;
	}

	private static boolean isHandler(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, TaskHandler.class)
				|| AnnotatedElementUtils.hasAnnotation(method, TaskHandlers.class);
	}

	private PeriodicTaskDefinition handlerTask(BeanMethod bean, String cron, @Nullable String type) {
		Type payload = new MethodTaskHandlerFactory(this.beanFactory, this.converter).requiredPayload(bean);
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
		for (TaskHandler handler : AnnotatedElementUtils.findMergedRepeatableAnnotations(bean.method(),
				TaskHandler.class, TaskHandlers.class)) {
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

	private static PeriodicTaskDefinition payloadTask(BeanMethod bean, String cron, @Nullable String type) {
		Class<?> returned = bean.returnedClass();
		List<String> problems = bean.problems();
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
		if (bean.method().getParameterCount() > 0) {
			throw problem("it has arguments, which cannot be resolved: remove them, or make it a @TaskHandler");
		}
		if (returned == void.class || returned == Void.class) {
			throw problem("it returns nothing: return the payload or a Task, or make it a @TaskHandler");
		}
		if (BeanMethod.isAsynchronous(returned)) {
			throw problem("it returns " + returned.getName() + ": return the payload itself or a Task");
		}
		if (type == null && !Task.class.isAssignableFrom(returned) && !hasTypeOfItsOwn(returned)) {
			throw problem("it has no type for the payload that it returns: name it, as @PeriodicTask(type = …)");
		}
		return PeriodicTaskDefinition.calling(cron, (type != null) ? type : "",
				new Call(bean.invocable(), ResolvableType.forType(bean.returnedType())));
	}

	private static boolean hasTypeOfItsOwn(Class<?> payload) {
		TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(payload, TaskDefaults.class);
		return defaults != null && !GoText.isBlank(defaults.type());
	}

	private static InvalidPeriodicTaskException problem(String problem) {
		return new InvalidPeriodicTaskException(List.of(problem));
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

}
