package io.asynq.annotation;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;

import io.asynq.Names;
import io.asynq.Task;
import io.asynq.client.TaskDefaults;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import io.asynq.scheduler.MissedFirePolicy;
import io.asynq.scheduler.PeriodicTask;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/**
 * A bean's method with {@link io.asynq.annotation.PeriodicTask}, as periodic tasks.
 */
final class PeriodicTaskMethod {

	private static final String NEVER = "-";

	/** What a method without arguments is called with. */
	private static final Message<String> NOTHING = new GenericMessage<>("");

	private final ConfigurableBeanFactory beanFactory;

	private final String beanName;

	private final Method method;

	private final Class<?> targetClass;

	PeriodicTaskMethod(ConfigurableBeanFactory beanFactory, String beanName, Method method, Class<?> targetClass) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
		this.targetClass = targetClass;
	}

	/**
	 * Reads an annotation of the method.
	 * @param annotation the annotation
	 * @return the periodic task, {@code null} if it never fires
	 * @throws InvalidPeriodicTaskException if annotation and method do not fit together
	 */
	@Nullable PeriodicTask read(io.asynq.annotation.PeriodicTask annotation) {
		PeriodicTaskAttributes attributes = new PeriodicTaskAttributes(this.beanFactory);
		String cron = attributes.text("cron", annotation.cron());
		if (NEVER.equals(cron)) {
			return null;
		}
		if (cron == null) {
			throw problem("it has no spec: give it one, as in @PeriodicTask(cron = \"0 3 * * *\")");
		}
		String type = attributes.text("type", annotation.type());
		PeriodicTask task = isHandler() ? handlerTask(cron, type) : payloadTask(cron, type);
		String zone = attributes.text("zone", annotation.zone());
		String id = attributes.text("id", annotation.id());
		String own = this.beanName + "." + this.method.getName();
		task = task.id((id != null) ? id : PeriodicTask.defaultId(own, cron, zone))
			.options((options) -> attributes.apply(annotation, options));
		task = (zone != null) ? task.zone(zone) : task;
		MissedFirePolicy policy = attributes.policy(annotation.missedFires());
		return (policy != null) ? task.missedFires(policy) : task;
	}

	@Override
	public String toString() {
		return HandlerSignature.describe(this.method) + " of bean '" + this.beanName + "'";
	}

	private boolean isHandler() {
		return AnnotatedElementUtils.hasAnnotation(this.method, TaskHandler.class)
				|| AnnotatedElementUtils.hasAnnotation(this.method, TaskHandlers.class);
	}

	private PeriodicTask handlerTask(String cron, @Nullable String type) {
		if (type != null) {
			return PeriodicTask.of(cron, Task.of(type, (byte[]) null));
		}
		Set<String> types = new LinkedHashSet<>();
		for (TaskHandler handler : AnnotatedElementUtils.findMergedRepeatableAnnotations(this.method, TaskHandler.class,
				TaskHandlers.class)) {
			types.addAll(List.of(handler.type()));
		}
		if (types.size() != 1) {
			throw problem("it handles the types " + types + ": say which one to enqueue, by @PeriodicTask(type = …)");
		}
		String only = new PeriodicTaskAttributes(this.beanFactory).text("type", types.iterator().next());
		return PeriodicTask.of(cron, Task.of((only != null) ? only : "", (byte[]) null));
	}

	private PeriodicTask payloadTask(String cron, @Nullable String type) {
		Class<?> returned = this.method.getReturnType();
		if (this.method.getParameterCount() > 0) {
			throw problem("it has arguments, and nobody to give them: remove them, or make it a @TaskHandler");
		}
		if (returned == void.class || returned == Void.class) {
			throw problem("it returns nothing: return the payload or a Task, or make it a @TaskHandler");
		}
		if (Future.class.isAssignableFrom(returned)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null) {
			throw problem("it returns " + returned.getName() + ": return the payload itself or a Task");
		}
		if (type == null && !Task.class.isAssignableFrom(returned) && !hasTypeOfItsOwn(returned)) {
			throw problem("it names no type for what it returns: say which, by @PeriodicTask(type = …)");
		}
		return PeriodicTask.calling(cron, (type != null) ? type : "", call());
	}

	private Callable<?> call() {
		Class<?> exposed = this.beanFactory.getType(this.beanName);
		try {
			AopUtils.selectInvocableMethod(this.method, (exposed != null) ? exposed : this.targetClass);
		}
		catch (IllegalStateException ex) {
			throw problem(String.valueOf(ex.getMessage()));
		}
		TaskHandlerMethod invocable = new TaskHandlerMethod(this.beanFactory, this.beanName, this.method);
		return () -> invocable.invoke(NOTHING);
	}

	private static boolean hasTypeOfItsOwn(Class<?> payload) {
		TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(payload, TaskDefaults.class);
		return defaults != null && !Names.isBlank(defaults.type());
	}

	private static InvalidPeriodicTaskException problem(String problem) {
		return new InvalidPeriodicTaskException(List.of(problem));
	}

}
