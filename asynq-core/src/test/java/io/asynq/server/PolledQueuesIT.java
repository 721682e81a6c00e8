package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.internal.redis.RedisState;
import io.asynq.test.AclRule;
import io.asynq.test.RedisExtension;
import io.asynq.test.redis.Driver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server whose Redis does not report arrivals to it.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class PolledQueuesIT {

	private final JedisConnectionFactory admin;

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.asynq.internal.arrival.MasterWatch");

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	PolledQueuesIT(RedisConnectionFactory admin) {
		this.admin = (JedisConnectionFactory) admin;
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.logged);
		this.logger.setLevel(null);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource
	void tasksRunAllTheSameAndTheLogSaysOnceThatQueuesArePolled(Driver driver) {
		this.logged.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.logged);
		List<String> rights = new ArrayList<>(AclRule.documented());
		rights.remove("+client|tracking");
		AclRule.grant(this.admin, rights);
		JedisConnectionFactory user = user();
		RedisConnectionFactory connections = driver.connect(user);
		try (TestServer server = TestServer.builder(connections)
			.options((options) -> options.taskCheckInterval(Duration.ofMillis(300)))
			.handling((task, context) -> {
				this.handled.add(context.taskId());
				return null;
			})
			.start()) {
			for (String id : List.of("t1", "t2", "t3")) {
				server.enqueue(RedisState.message("default", id).build());
				await().until(() -> this.handled.contains(id));
			}
			await().until(() -> !this.logged.list.isEmpty());
		}
		finally {
			driver.disconnect(connections);
			user.destroy();
		}
		assertThat(this.logged.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("Redis does not report new tasks",
					"CLIENT TRACKING", "so queues are polled every PT0.3S"));
	}

	private JedisConnectionFactory user() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(this.admin.getHostName(),
				this.admin.getPort());
		configuration.setUsername(AclRule.USER);
		configuration.setPassword(AclRule.PASSWORD);
		JedisConnectionFactory user = new JedisConnectionFactory(configuration, this.admin.getClientConfiguration());
		user.afterPropertiesSet();
		user.start();
		return user;
	}

}
