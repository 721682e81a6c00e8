package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which properties below {@code asynq} are reported at the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationCheckTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@ParameterizedTest
	@CsvSource({ "asynq.server.concurency=4, asynq.server.concurrency",
			"asynq.servr.concurrency=4, asynq.server.concurrency", "asynq.servr=4, asynq.server",
			"asynq.server.queus.critical=6, asynq.server.queues.critical",
			"asynq.server.queus.mail.weight=6, asynq.server.queues.mail.weight",
			"asynq.server.taskCheckIntervall=1s, asynq.server.task-check-interval",
			"asynq.server.retry.[mail:send].dely=1s, 'asynq.server.retry[mail:send].delay'",
			"asynq.server.retry.mail.exclude=java.io.IOException, asynq.server.retry.mail.excludes",
			"asynq.limits.pdf.concurent=3, asynq.limits.pdf.concurrent",
			"asynq.limit.pdf.rate=1/s, asynq.limits.pdf.rate",
			"asynq.clent.max-payload-size=2KB, asynq.client.max-payload-size",
			"asynq.client.tasks.mail.max-retries=3, asynq.client.tasks.mail.max-retry",
			"asynq.context.header=tenant, asynq.context.headers",
			"asynq.metrics.queues.max-queue=5, asynq.metrics.queues.max-queues",
			"asynq.metrics.queue.names[0]=mail, asynq.metrics.queues.names",
			"asynq.endpoint.show-value=always, asynq.endpoint.show-values",
			"asynq.json.duration=nanoseconds, asynq.json.durations",
			"asynq.scheduler.missed-fire=once, asynq.scheduler.missed-fires" })
	void unknownPropertyIsAWarningThatNamesTheOneThatWasMeant(String property, String meant, CapturedOutput output) {
		this.runner.withInitializer(AsynqContexts.properties(property))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).contains("has no effect", "did you mean '" + meant + "'?");
		assertThat(warnings(output).lines()).hasSize(1);
	}

	@Test
	void queueWithAMisspeltSettingFailsWithTheOneThatWasMeant() {
		this.runner.withPropertyValues("asynq.server.queues.mail.wieght=3")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("did you mean 'asynq.server.queues.mail.weight'?"));
	}

	@Test
	void unknownSettingOfAPeriodicTaskIsAWarning(CapturedOutput output) {
		yaml("""
				asynq:
				  scheduler:
				    entries:
				      nightly:
				        cron: 0 3 * * *
				        type: report
				        zoen: Europe/Berlin
				""").run((context) -> assertThat(context).hasNotFailed());
		yaml("""
				asynq.scheduler.entries:
				- id: nightly
				  cron: 0 3 * * *
				  type: report
				  qeue: low
				""").run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).contains("did you mean 'asynq.scheduler.entries.nightly.zone'?", "7:15",
				"did you mean 'asynq.scheduler.entries[0].queue'?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq.colour", "asynq.server.colour", "asynq.limits.pdf.x", "asynq.client.tasks.mail.a" })
	void propertyLikeNoOtherIsAWarningToo(String property, CapturedOutput output) {
		this.runner.withPropertyValues(property + "=secret").run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).contains("'" + property + "'", "has no effect")
			.doesNotContain("did you mean", "secret");
	}

	@ParameterizedTest
	@CsvSource({ "ASYNQ_SERVER_CONCURENCY=4, asynq.server.concurrency",
			"ASYNQ_SERVR_CONCURRENCY=4, asynq.server.concurrency",
			"ASYNQ_SERVER_TASKCHECKINTERVALL=1s, asynq.server.task-check-interval",
			"ASYNQ_SERVER_TASK_CHECK_INTERVALL=1s, asynq.server.task-check-interval",
			"ASYNQ_CLIENT_AFTERCOMIT=true, asynq.client.after-commit",
			"ASYNQ_SERVER_QUEUES_0_NAMES=mail, 'asynq.server.queues[0].name'" })
	void misspeltEnvironmentVariableIsAWarning(String variable, String meant, CapturedOutput output) {
		environment(variable).run((context) -> {
		});
		assertThat(warnings(output)).contains("did you mean '" + meant + "'?",
				"\"" + variable.substring(0, variable.indexOf('=')) + "\"");
	}

	@Test
	void misspeltSystemPropertyIsAWarning(CapturedOutput output) {
		this.runner
			.withSystemProperties("asynq.server.concurency=4", "asynq.test.redis=path", "asynq.jar=a.jar",
					"asynq.test.virtual-threads=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output).lines()).singleElement().asString().contains("asynq.server.concurency");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ASYNQ_URI", "ASYNQ_DB", "ASYNQ_USERNAME", "ASYNQ_PASSWORD", "ASYNQ_CLUSTER",
			"ASYNQ_CLUSTER_ADDRS", "ASYNQ_TLS", "ASYNQ_TLS_SERVER", "ASYNQ_INSECURE", "ASYNQ_OUTPUT", "ASYNQ_YES",
			"ASYNQ_CONFIG", "ASYNQ_DEBUG", "ASYNQ_JAVA_OPTS", "ASYNQ_TEST_REDIS_URL", "ASYNQ_REQUIRE_GO",
			"ASYNQ_SERVICE_HOST", "ASYNQ_PORT_6379_TCP_ADDR", "ASYNQ_SERVER_SERVICE_PORT", "ASYNQ_SERVER_PORT",
			"ASYNQ_SERVER_TASKCHECKINTERVAL", "ASYNQ_SERVER_TASK_CHECK_INTERVAL", "ASYNQ_LIMITS_PDF_CONCURRENT",
			"ASYNQ_SERVER_QUEUES_MAIL_GROUPMAXSIZE", "ASYNQ_SERVER_QUEUES_MAIL_GROUP_MAX_SIZE",
			"ASYNQ_CONTEXT_HEADERS_0" })
	void environmentOfCommandLineBuildAndContainersIsNotReported(String variable, CapturedOutput output) {
		environment(variable + "=7s").run((context) -> {
		});
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void everyFormOfWhatIsKnownIsAccepted(CapturedOutput output) {
		this.runner.withInitializer(properties("""
				asynq.server.taskCheckInterval=2s
				asynq.server.heartbeat_interval=4s
				asynq.SERVER.max-crashes=2
				asynq.server=
				asynq.server.queues.critical=6
				asynq.server.queues.sendMail.weight=6
				asynq.server.queues[User\\:42].group-max-size=5
				asynq.server.queues.mail.limit[0]=pdf
				asynq.limits.pdf.concurrent=3
				asynq.limits.[a.b].rate=1/s
				asynq.server.retry[mail\\:send].includes[0]=java.io.IOException
				asynq.client.tasks.[mail.send].maxRetry=3
				asynq.context.headers[0]=tenant
				asynq.metrics.queues.names=mail,low
				asynq.scheduler.entries.nightly.cron=@daily
				asynq.scheduler.entries.nightly.type=report
				asynq.scheduler.entries.nightly.headers.tenant=acme
				asynq.scheduler.entries.nightly.headers.[a.b]=c
				asynq.console.path=/tasks
				asynq.outbox.enabled=false
				""")).run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void propertiesOfTheApplicationItselfAreNotReported(CapturedOutput output) {
		// A class of this module would have metadata
		Class<?> audit = new ByteBuddy().subclass(Object.class)
			.annotateType(AnnotationDescription.Builder.ofType(ConfigurationProperties.class)
				.define("value", "asynq.audit")
				.build())
			.make()
			.load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded();
		this.runner.withBean(audit)
			.withPropertyValues("asynq.audit.file=a.log", "asynq.audits.file=a.log")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output).lines()).singleElement().asString().contains("asynq.audits.file");
	}

	@Test
	void unknownPropertyStopsTheStartIfThePreflightIsToFail() {
		this.runner.withPropertyValues("asynq.server.preflight=fail", "asynq.server.concurency=4")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("'asynq.server.concurency'", "did you mean 'asynq.server.concurrency'?"));
	}

	@ParameterizedTest
	@CsvSource({ "asynq.server.shutdown-timeout=30, 30", "asynq.server.shutdownTimeout=5000, 5000",
			"asynq.server.queues.mail.group-grace-period=1500, 1500", "asynq.client.tasks.mail.timeout=90000, 90000",
			"asynq.server.retry.[mail:send].delay=10, 10", "'asynq.server.shutdown-timeout=${missing:20}', 20",
			"asynq.metrics.queues.interval=15000, 15000" })
	void durationWithoutAUnitIsAWarningThatSaysWhatItIsTakenFor(String property, String number, CapturedOutput output) {
		this.runner.withInitializer(AsynqContexts.properties(property))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).contains(number + " milliseconds", number + "ms", number + "s");
	}

	@Test
	void durationsWithoutUnitsInYamlAndEnvironmentAreWarnings(CapturedOutput output) {
		yaml("""
				asynq:
				  server:
				    shutdown-timeout: 31
				  scheduler:
				    entries:
				      nightly:
				        cron: 0 3 * * *
				        type: report
				        timeout: 32000
				""").run((context) -> assertThat(context).hasNotFailed());
		environment("ASYNQ_SERVER_SHUTDOWN_TIMEOUT=33").run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).contains("31 milliseconds", "32000 milliseconds", "33 milliseconds");
	}

	@Test
	void durationsWithUnitsAndZeroAreNoWarnings(CapturedOutput output) {
		this.runner
			.withPropertyValues("asynq.server.shutdown-timeout=30s", "asynq.server.group-max-delay=0",
					"asynq.server.lease-duration=PT40S", "asynq.server.max-crashes=5")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output).lines().filter((line) -> line.contains("milliseconds"))).isEmpty();
	}

	private ApplicationContextRunner environment(String variable) {
		int end = variable.indexOf('=');
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource(
					"test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					Map.of(variable.substring(0, end), variable.substring(end + 1)))));
	}

	private static ApplicationContextInitializer<ConfigurableApplicationContext> properties(String text) {
		return (context) -> {
			try {
				context.getEnvironment()
					.getPropertySources()
					.addFirst(new PropertiesPropertySource("test", PropertiesLoaderUtils
						.loadProperties(new ByteArrayResource(text.getBytes(StandardCharsets.ISO_8859_1)))));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		};
	}

	private ApplicationContextRunner yaml(String yaml) {
		return this.runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static String warnings(CapturedOutput output) {
		Stream<String> lines = output.getOut().lines().filter((line) -> line.contains(" WARN "));
		return lines.filter((line) -> line.contains("Property 'asynq.")).collect(Collectors.joining("\n"));
	}

}
