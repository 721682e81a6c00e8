package io.asynq.spring.boot.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.AsynqClient;
import io.asynq.RetryDelayPolicy;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskInterceptor;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.limit.TaskSemaphore;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * An application that enqueues and handles mails.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

	@Bean
	Mails mails(AsynqClient client) {
		return new Mails(client);
	}

	@Bean
	RetryDelayPolicy retryDelay() {
		return (retried, error, task) -> Duration.ofMinutes(1 + retried);
	}

	@Bean
	TaskInterceptor interceptor(Mails mails) {
		return (task, context, next) -> {
			mails.log.add("before " + task.type());
			return next.processTask(task, context);
		};
	}

	/** Enqueues before all handlers are known. */
	@Bean
	InitializingBean early(AsynqClient client) {
		return () -> client.enqueue("mail:digest");
	}

	@Bean
	ApplicationRunner atTheStart(AsynqClient client, Mails mails) {
		return (arguments) -> {
			client.enqueue("mail:start");
			mails.logOfStart.addAll(mails.log);
		};
	}

	@Bean
	TaskSemaphore post(RedisBroker broker) {
		return TaskSemaphore.create(broker, "post", 1);
	}

	@Bean
	Office office(TaskSemaphore post) {
		return new Office(post);
	}

	/** Keeps a token if the mail cannot be sent. */
	record Office(TaskSemaphore post) {

		@TaskHandler("office")
		void work(String what, TaskContext context) {
			if (!this.post.tryAcquire(context)) {
				throw new PostponeTaskException(Duration.ofSeconds(2));
			}
			if (what.equals("fail")) {
				throw new IllegalStateException("no stamps");
			}
			this.post.release(context);
		}

	}

	record Mail(String to, String text) {
	}

	static class Mails {

		final List<String> log = new CopyOnWriteArrayList<>();

		final List<String> logOfStart = new CopyOnWriteArrayList<>();

		private final AsynqClient client;

		Mails(AsynqClient client) {
			this.client = client;
		}

		void order(Mail mail) {
			this.client.enqueue("mail:send", mail, (o) -> o.queue("critical").processIn(Duration.ofMinutes(10)));
		}

		@TaskHandler("mail:send")
		String send(Mail mail, TaskContext context) {
			this.log.add("send " + mail.to() + " " + context.retryCount());
			switch (mail.text()) {
				case "fail" -> throw new IllegalStateException("no mail server");
				case "fail once" -> {
					if (context.retryCount() == 0) {
						throw new IllegalStateException("no mail server");
					}
				}
				case "skip" -> throw new SkipRetryException("no such address");
				case "revoke" -> throw new RevokeTaskException("unsubscribed");
				case "postpone" -> throw new PostponeTaskException(Duration.ofSeconds(90));
				case "again" -> this.client.enqueue("mail:send", new Mail(mail.to(), "hello"));
				case "for ever" -> this.client.enqueue("mail:send", mail);
				default -> {
				}
			}
			this.log.add("sent " + mail.to());
			return "sent to " + mail.to();
		}

		@TaskHandler(type = "mail:one", maxConcurrent = 1)
		void one() {
		}

		@TaskHandler("mail:start")
		void start() {
			this.log.add("start");
		}

		@PeriodicTask(cron = "@every 10m", id = "digest")
		@TaskHandler("mail:digest")
		void digest() {
			this.log.add("digest");
		}

	}

}
