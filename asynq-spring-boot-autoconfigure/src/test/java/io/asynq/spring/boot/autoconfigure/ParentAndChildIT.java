package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.TaskAggregator;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.ServerInfo;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskDefinition;
import io.asynq.schedule.PeriodicTaskInfo;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Applications of two contexts: which of them has the server.
 */
@Tag("slow")
@Timeout(180)
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class ParentAndChildIT {

	private static final BlockingQueue<String> HANDLED = new LinkedBlockingQueue<>();

	ParentAndChildIT(RedisConnectionFactory emptied) {
		HANDLED.clear();
	}

	/** Which context has the handlers is the same for whoever looks. */
	@ParameterizedTest
	@CsvSource({ "Wired, WiredWithHandlers, child", "WiredWithHandlers, Wired, parent", "WithHandlers, Wired, child",
			"Wired, WiredWithMux, child", "WithMux, Wired, child" })
	void oneServerRunsWhereTheHandlersAre(String parent, String child, String place) throws Exception {
		try (Contexts contexts = start(parent, child)) {
			ConfigurableApplicationContext with = place.equals("child") ? contexts.child : contexts.parent;
			assertThat(with.getBean(AsynqServer.class).state()).isEqualTo(ServerState.ACTIVE);
			AsynqClient client = contexts.child.getBean(AsynqClient.class);
			client.enqueue("greet", "Ada");
			assertThat(HANDLED.poll(60, TimeUnit.SECONDS)).isEqualTo("Ada");
			assertThat(contexts.child.getBean(AsynqServer.class)).isSameAs(with.getBean(AsynqServer.class));
			assertThat(servers(contexts.child)).singleElement()
				.satisfies((server) -> assertThat(server.concurrency()).isEqualTo(3));
		}
	}

	@Test
	void handlersOfBothContextsRunAndAWarningNamesThem(CapturedOutput output) throws Exception {
		try (Contexts contexts = start("WiredWithHandlers", "WiredWithReports")) {
			contexts.child.getBean(AsynqClient.class).enqueue("greet", "Ada");
			assertThat(HANDLED.poll(60, TimeUnit.SECONDS)).isEqualTo("Ada");
			contexts.child.getBean(AsynqClient.class).enqueue("report", "yearly");
			assertThat(HANDLED.poll(60, TimeUnit.SECONDS)).isEqualTo("yearly");
			await().untilAsserted(() -> assertThat(servers(contexts.child)).hasSize(2));
			assertThat(output.getOut().lines().filter((line) -> line.contains("two asynq servers"))).singleElement()
				.asString()
				.contains(" WARN ", "one context");
		}
	}

	@Test
	void optionsOfHandlersInTheChildReachTheClientOfTheParent() throws Exception {
		try (Contexts contexts = start("Wired", "WiredWithReports")) {
			assertThat(contexts.parent.getBean(AsynqClient.class).enqueue("report", "yearly").maxRetry()).isEqualTo(2);
			assertThat(HANDLED.poll(60, TimeUnit.SECONDS)).isEqualTo("yearly");
		}
	}

	@Test
	void aggregatorInTheChildTurnsGroupsIntoTasks() throws Exception {
		try (Contexts contexts = start("Wired", "WiredWithAggregator", "asynq.server.group-max-size=1")) {
			contexts.child.getBean(AsynqClient.class).enqueue("sale", "12", (o) -> o.group("sales"));
			assertThat(HANDLED.poll(60, TimeUnit.SECONDS)).isEqualTo("1 sales");
			assertThat(servers(contexts.child)).hasSize(1);
		}
	}

	@Test
	void handlerThatIsHiddenByTheTypeOfItsBeanIsRefusedByName() {
		assertThatThrownBy(() -> start("WiredWithHandlers", "WiredWithHiddenHandler").close())
			.hasStackTraceContaining(InvalidTaskHandlerException.class.getName())
			.hasStackTraceContaining("hidden")
			.hasStackTraceContaining("declare");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Wired", "WiredWithMorePeriodicTasks" })
	void periodicTasksOfBothContextsAreOnOneSchedulerEachOnce(String child) throws Exception {
		try (Contexts contexts = start("WiredWithPeriodicTasks", child,
				"asynq.scheduler.entries.nightly.cron=0 3 * * *", "asynq.scheduler.entries.nightly.type=report")) {
			AsynqScheduler scheduler = contexts.child.getBean(AsynqScheduler.class);
			assertThat(scheduler).isSameAs(contexts.parent.getBean(AsynqScheduler.class));
			assertThat(scheduler.entries()).extracting(PeriodicTaskInfo::id)
				.contains("nightly")
				.hasSize(child.equals("Wired") ? 3 : 5);
		}
	}

	private static List<ServerInfo> servers(ConfigurableApplicationContext context) {
		AsynqInspector inspector = context.getBean(AsynqInspector.class);
		await().until(() -> !inspector.servers().isEmpty());
		return inspector.servers();
	}

	private static Contexts start(String parent, String child, String... properties) throws Exception {
		ConfigurableApplicationContext parentContext = builder(parent, properties).run();
		try {
			return new Contexts(parentContext, builder(child, properties).parent(parentContext).run());
		}
		catch (Throwable ex) {
			parentContext.close();
			throw ex;
		}
	}

	private static SpringApplicationBuilder builder(String configuration, String... properties) throws Exception {
		TestRedis redis = TestRedis.shared();
		return new SpringApplicationBuilder(Class.forName(ParentAndChildIT.class.getName() + "$" + configuration))
			.web(WebApplicationType.NONE)
			.properties("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"asynq.server.concurrency=3", "asynq.server.preflight=off", "spring.main.banner-mode=off")
			.properties(properties);
	}

	private record Contexts(ConfigurableApplicationContext parent,
			ConfigurableApplicationContext child) implements AutoCloseable {

		@Override
		public void close() {
			this.child.close();
			this.parent.close();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Wired {

	}

	@Configuration(proxyBeanMethods = false)
	static class WithHandlers {

		@Bean
		Greeter greeter() {
			return new Greeter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithHandlers extends WithHandlers {

	}

	@Configuration(proxyBeanMethods = false)
	static class WithMux {

		@Bean
		TaskMux mux() {
			TaskMux mux = new TaskMux();
			mux.handle("greet", (task, context) -> {
				HANDLED.add(new String(task.payload()).replace("\"", ""));
				return null;
			});
			return mux;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithMux extends WithMux {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithReports {

		@Bean
		Reports reports() {
			return new Reports();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithAggregator {

		@Bean
		Sales sales() {
			return new Sales();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithHiddenHandler {

		@Bean
		Runnable hidden() {
			return new HiddenHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithPeriodicTasks {

		@Bean
		Cleaning cleaning() {
			return new Cleaning();
		}

		@Bean
		PeriodicTaskDefinition backup() {
			return PeriodicTaskDefinition.of("@daily", Task.of("backup", ""));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WiredWithMorePeriodicTasks {

		@Bean
		Sweeping sweeping() {
			return new Sweeping();
		}

		@Bean
		PeriodicTaskDefinition audit() {
			return PeriodicTaskDefinition.of("@weekly", Task.of("audit", ""));
		}

	}

	static class Greeter {

		@TaskHandler("greet")
		void greet(String name) {
			HANDLED.add(name);
		}

	}

	static class Reports {

		@TaskHandler(type = "report", maxRetry = 2)
		void report(String name) {
			HANDLED.add(name);
		}

	}

	static class Sales {

		@TaskAggregator(group = "sales", type = "sales")
		String aggregate(List<String> sales) {
			return sales.size() + " sales";
		}

		@TaskHandler("sales")
		void sales(String total) {
			HANDLED.add(total);
		}

	}

	static class HiddenHandler implements Runnable {

		@Override
		public void run() {
		}

		@TaskHandler("hidden")
		void hidden() {
		}

	}

	static class Sweeping {

		@TaskHandler("sweep")
		@PeriodicTask(cron = "@hourly")
		void sweep() {
		}

	}

	static class Cleaning {

		@TaskHandler("clean")
		@PeriodicTask(cron = "@hourly")
		void clean() {
		}

	}

}
