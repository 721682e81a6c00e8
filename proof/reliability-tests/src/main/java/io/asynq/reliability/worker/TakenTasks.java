package io.asynq.reliability.worker;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.QueueShare;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.TaskKey;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Records which tasks the broker hands out, before they run. */
record TakenTasks(ObjectProvider<LedgerWriter> ledger) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof RedisBroker broker) ? watched(broker) : bean;
	}

	private RedisBroker watched(RedisBroker broker) {
		TaskDequeuer dequeuer = watched(broker.dequeuer());
		ProxyFactory proxy = new ProxyFactory(broker);
		proxy.setProxyTargetClass(true);
		proxy.addAdvice((MethodInterceptor) (call) -> (call.getMethod().getReturnType() == TaskDequeuer.class)
				? dequeuer : call.proceed());
		return (RedisBroker) proxy.getProxy();
	}

	private TaskDequeuer watched(TaskDequeuer dequeuer) {
		return new TaskDequeuer() {

			@Override
			public Dequeued dequeue(String queue, int max) {
				return dequeue(queue, max, 0);
			}

			@Override
			public Dequeued dequeue(String queue, int max, int ahead) {
				return recorded(queue, dequeuer.dequeue(queue, max, ahead));
			}

			@Override
			public List<Answer> dequeue(List<QueueShare> shares, int max, int ahead) {
				List<Answer> answers = dequeuer.dequeue(shares, max, ahead);
				for (Answer answer : answers) {
					if (answer.dequeued() != null) {
						recorded(answer.queue(), answer.dequeued());
					}
				}
				return answers;
			}

			@Override
			public boolean takesSeveralInOneCall() {
				return dequeuer.takesSeveralInOneCall();
			}

			@Override
			public Set<String> giveBackLost(Predicate<String> queues) {
				return dequeuer.giveBackLost(queues);
			}

		};
	}

	private Dequeued recorded(String queue, Dequeued dequeued) {
		dequeued.tasks().forEach((task) -> this.ledger.getObject().taken(new TaskKey(queue, task.message().id())));
		return dequeued;
	}

}
