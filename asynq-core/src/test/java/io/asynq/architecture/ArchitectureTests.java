package io.asynq.architecture;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Holds the library to the rules of the house, and shows that each rule finds who breaks
 * it.
 */
class ArchitectureTests {

	private static final String FIXTURES = "io.asynq.archfixture";

	private static final JavaClasses library = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.asynq");

	private static final JavaClasses tests = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("/archfixture/"))
		.importPackages("io.asynq");

	private static final JavaClasses fixtures = new ClassFileImporter().importPackages(FIXTURES);

	static Stream<Arguments> rules() {
		return Stream.of(rule("no cycles", ArchitectureRules::noCycles, "FirstOfRing"),
				rule("vocabulary stands alone", ArchitectureRules::vocabularyStandsAlone, "VocabularyThatUsesClient"),
				rule("client keeps to itself", ArchitectureRules::clientKeepsToItself, "ClientThatUsesServer"),
				rule("inspect keeps to itself", ArchitectureRules::inspectKeepsToItself, "InspectorThatUsesClient"),
				rule("server uses handler only", ArchitectureRules::serverUsesHandlerOnly, "ServerThatUsesInspector",
						"ServerThatUsesScheduler", "ServerThatUsesAdapter"),
				rule("scheduler uses client only", ArchitectureRules::schedulerUsesClientOnly,
						"SchedulerThatUsesHandler"),
				rule("nobody uses annotation", ArchitectureRules::nobodyUsesAnnotation, "HandlerThatUsesAnnotation"),
				rule("nobody uses the adapter", ArchitectureRules::nobodyUsesTheAdapter, "ServerThatUsesAdapter"),
				rule("only the adapter knows Spring Data Redis", ArchitectureRules::onlyTheAdapterKnowsSpringDataRedis,
						"BrokerThatUsesSpringDataRedis"),
				rule("only the adapter knows protobuf", ArchitectureRules::onlyTheAdapterKnowsProtobuf,
						"HandlerThatUsesProtobuf", "GeneratedAtTheWrongPlace"),
				rule("nobody knows a driver but what is for it alone", ArchitectureRules::nobodyKnowsADriver,
						"AdapterThatUsesDriver"),
				rule("nobody knows Boot", ArchitectureRules::nobodyKnowsBoot, "ServerThatUsesBoot"),
				rule("generated messages lie below the adapter", ArchitectureRules::generatedMessagesLieBelowTheAdapter,
						"GeneratedAtTheWrongPlace"),
				rule("public signatures show no technology", ArchitectureRules::publicSignaturesShowNoTechnology,
						"AdapterThatShowsRedis", "AdapterThatShowsProtobuf"),
				rule("time comes from a clock", ArchitectureRules::timeComesFromAClock, "LoopThatReadsInstant",
						"LoopThatReadsMillis", "LoopThatMakesClock", "LoopThatMakesDate"),
				rule("only logging makes loggers", ArchitectureRules::onlyLoggingMakesLoggers,
						"LoopThatLogsAsItPleases"),
				rule("nothing goes over all queues", ArchitectureRules::nothingGoesOverAllQueues,
						"LoopThatGoesOverAllQueues"),
				rule("nobody sleeps", ArchitectureRules::nobodySleeps, "LoopThatSleeps", "LoopThatSleepsByUnit"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void theLibraryKeeps(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		rule.apply(new ArchitectureRules("io.asynq")).check(library);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void findsWhoBreaks(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		List<String> found = rule.apply(new ArchitectureRules(FIXTURES))
			.evaluate(fixtures)
			.getFailureReport()
			.getDetails();
		assertThat(offenders).allSatisfy((offender) -> assertThat(found).anyMatch((line) -> line.contains(offender)));
		assertThat(found).noneMatch((line) -> line.contains("<" + FIXTURES + ".lifecycle.PlainLoop"));
		assertThat(found).noneMatch((line) -> line.startsWith("Field <" + FIXTURES + ".server.PlainServer"));
	}

	@Test
	void noTestSleeps() {
		assertThat(tests).isNotEmpty();
		new ArchitectureRules("io.asynq").nobodySleeps().check(tests);
	}

	@Test
	void looksAtTheWholeLibrary() {
		assertThat(library.contain("io.asynq.client.AsynqClient")).isTrue();
		assertThat(library.contain("io.asynq.broker.redis.RedisBroker")).isTrue();
		assertThat(library.contain(FIXTURES + ".client.PlainClient")).isFalse();
		assertThat(tests.contain(getClass().getName())).isTrue();
	}

	private static Arguments rule(String name, Function<ArchitectureRules, ArchRule> rule, String... offenders) {
		return arguments(name, rule, List.of(offenders));
	}

}
