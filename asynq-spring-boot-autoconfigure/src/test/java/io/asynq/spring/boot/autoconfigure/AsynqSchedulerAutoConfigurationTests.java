package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskHandler;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.method.PeriodicTaskMethodRegistrar;
import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.MissedFirePolicy;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.schedule.PeriodicTaskProvider;
import io.asynq.schedule.SchedulerOptions;
import io.asynq.test.FakeBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

class AsynqSchedulerAutoConfigurationTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void requiresRedisButNoServerAndCanBeDisabled() {
		this.runner.withPropertyValues("asynq.server.enabled=false").run((context) -> {
			assertThat(context).hasSingleBean(AsynqScheduler.class).hasSingleBean(ClientOptions.class);
			assertThat(context.getBean(AsynqScheduler.class).isRunning()).isTrue();
			assertThat(context).doesNotHaveBean(PeriodicTaskManager.class);
		});
		this.runner.withPropertyValues("asynq.scheduler.enabled=false")
			.withBean(Reports.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(AsynqScheduler.class)
				.doesNotHaveBean(PeriodicTaskMethodRegistrar.class));
		new ApplicationContextRunner().withUserConfiguration(AsynqContexts.Application.class)
			.withPropertyValues("spring.autoconfigure.exclude="
					+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void hasDefaultsOfScheduler() {
		this.runner.run((context) -> assertThat(context.getBean(SchedulerOptions.class)).usingRecursiveComparison()
			.ignoringFields("zone", "clock")
			.isEqualTo(SchedulerOptions.builder().clock(Clock.systemUTC()).build()));
		this.runner.run((context) -> assertThat(context.getBean(SchedulerOptions.class).zone().getRules())
			.isEqualTo(ZoneId.of("UTC").getRules()));
	}

	@Test
	void propertiesReachEveryOption() {
		this.runner
			.withPropertyValues("asynq.scheduler.zone=Asia/Tokyo", "asynq.scheduler.heartbeat-interval=7s",
					"asynq.scheduler.sync-interval=8s", "asynq.scheduler.missed-fires=once")
			.run((context) -> {
				SchedulerOptions options = context.getBean(SchedulerOptions.class);
				assertThat(options.zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
				assertThat(options.heartbeatInterval()).isEqualTo(Duration.ofSeconds(7));
				assertThat(options.syncInterval()).isEqualTo(Duration.ofSeconds(8));
				assertThat(options.missedFires()).isEqualTo(MissedFirePolicy.ONCE);
			});
		this.runner.withPropertyValues("asynq.scheduler.cluster-safe=false")
			.run((context) -> assertThat(context.getBean(SchedulerOptions.class).clusterSafe()).isFalse());
	}

	@Test
	void registersMethodsBeansAndProviders() {
		this.runner.withBean(Reports.class).withUserConfiguration(Beans.class).run((context) -> {
			AsynqScheduler scheduler = context.getBean(AsynqScheduler.class);
			await().until(() -> scheduler.entries().size() == 3);
			assertThat(scheduler.entries()).extracting(PeriodicTaskInfo::type)
				.containsExactlyInAnyOrder("report", "bean", "provided");
			assertThat(context).hasSingleBean(PeriodicTaskManager.class);
		});
	}

	@Test
	void registersThemWhenBeansAreLazy() {
		this.runner.withBean(Reports.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("asynqScheduler")).isTrue();
				assertThat(context.getBean(AsynqScheduler.class).entries()).hasSize(1);
			});
	}

	@Test
	void readsEntriesFromMapById() {
		yaml("""
				asynq:
				  scheduler:
				    entries:
				      nightly:
				        cron: 0 3 * * *
				        zone: Europe/Berlin
				        type: report:nightly
				        payload: '{"full":true}'
				        queue: low
				        max-retry: 3
				        task-id: nightly-report
				        timeout: 90s
				        unique: 1h
				        process-in: 5m
				        retention: 1d
				        group: reports
				        headers:
				          tenant: acme
				        missed-fires: once
				      "[report:weekly]":
				        cron: "@weekly"
				        type: report:weekly
				""").run((context) -> assertThat(context.getBean(AsynqScheduler.class).entries())
			.extracting(PeriodicTaskInfo::id, PeriodicTaskInfo::spec, PeriodicTaskInfo::type, PeriodicTaskInfo::queue)
			.containsExactly(tuple("nightly", "CRON_TZ=Europe/Berlin 0 3 * * *", "report:nightly", "low"),
					tuple("report:weekly", "@weekly", "report:weekly", "default")));
	}

	@Test
	void everyOptionOfEntryReachesItsTasks() {
		FakeBroker broker = new FakeBroker();
		Instant begin = Instant.now();
		yaml("""
				asynq:
				  scheduler:
				    entries:
				      full:
				        cron: "@every 1s"
				        type: full
				        payload: '{"full":true}'
				        queue: low
				        max-retry: 3
				        task-id: full-report
				        timeout: 90s
				        unique: 1h
				        retention: 1d
				        group: reports
				        headers:
				          tenant: acme
				          "[a.b]": c
				        missed-fires: once
				      later:
				        cron: "@every 1s"
				        type: later
				        process-in: 5m
				""").withBean(RedisBroker.class, () -> broker)
			.withPropertyValues("asynq.server.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				await().until(() -> Set.of("full", "later").stream().allMatch((type) -> request(broker, type) != null));
				EnqueueRequest full = request(broker, "full");
				assertThat(full.message().payload()).isEqualTo("{\"full\":true}".getBytes(StandardCharsets.UTF_8));
				assertThat(full.message().queue()).isEqualTo("low");
				assertThat(full.message().maxRetry()).isEqualTo(3);
				assertThat(full.message().id()).isEqualTo("full-report");
				assertThat(full.message().timeoutSeconds()).isEqualTo(90);
				assertThat(full.lockTtl()).isEqualTo(Duration.ofHours(1));
				assertThat(full.message().retentionSeconds()).isEqualTo(86_400);
				assertThat(full.message().group()).isEqualTo("reports");
				assertThat(full.placement()).isEqualTo(new Placement.Grouped());
				assertThat(full.message().headers()).isEqualTo(Map.of("tenant", "acme", "a.b", "c"));
				EnqueueRequest later = request(broker, "later");
				assertThat(later.message().payload()).isNull();
				assertThat(later.placement()).isInstanceOfSatisfying(Placement.Scheduled.class,
						(placement) -> assertThat(placement.at()).isBetween(begin.plusSeconds(299),
								Instant.now().plusSeconds(301)));
				assertThat(broker.scheduling.fires).isNotEmpty()
					.allMatch((fire) -> fire.remembered() == fire.entry().equals("full"));
			});
	}

	@Test
	void readsEntriesFromList() {
		yaml("""
				asynq:
				  scheduler:
				    entries:
				      - id: report:nightly
				        cron: 0 3 * * *
				        type: nightly
				      - cron: "@every 90s"
				        type: often
				""").run((context) -> assertThat(context.getBean(AsynqScheduler.class).entries())
			.extracting(PeriodicTaskInfo::id)
			.containsExactly("report:nightly",
					io.asynq.schedule.PeriodicTaskDefinition.defaultId("often@default", "@every 90s", null)));
	}

	private static @Nullable EnqueueRequest request(FakeBroker broker, String type) {
		return broker.requests.stream()
			.filter((request) -> request.message().type().equals(type))
			.findFirst()
			.orElse(null);
	}

	private ApplicationContextRunner yaml(String yaml) {
		return this.runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					// Not "test", which is the name of the property source of the runner
					.load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	static class Reports {

		@TaskHandler("report")
		@PeriodicTask("@daily")
		void report() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		io.asynq.schedule.PeriodicTaskDefinition bean() {
			return io.asynq.schedule.PeriodicTaskDefinition.of("@daily", Task.of("bean", ""));
		}

		@Bean
		PeriodicTaskProvider provider() {
			return () -> List.of(io.asynq.schedule.PeriodicTaskDefinition.of("@daily", Task.of("provided", "")));
		}

	}

}
