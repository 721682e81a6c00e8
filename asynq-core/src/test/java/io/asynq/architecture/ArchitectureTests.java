package io.asynq.architecture;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Checks the library against the architecture rules, and each rule against a fixture that
 * breaks it.
 */
class ArchitectureTests {

	private static final String FIXTURES = "io.asynq.archfixture";

	private static final JavaClasses library = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !isTestSupport(location))
		.importPackages("io.asynq");

	private static final JavaClasses tests = new ClassFileImporter()
		.withImportOption(
				(location) -> ImportOption.Predefined.ONLY_INCLUDE_TESTS.includes(location) || isTestSupport(location))
		.withImportOption((location) -> !location.contains("/archfixture/"))
		.importPackages("io.asynq");

	private static final JavaClasses fixtures = new ClassFileImporter().importPackages(FIXTURES);

	static Stream<Arguments> rules() {
		return Stream.of(
				rule("no circle of internal packages", ArchitectureRules::noCircleOfInternalPackages, "FirstOfRing"),
				rule("features do not see each other", ArchitectureRules::featuresDoNotSeeEachOther,
						"GroupThatUsesLimit"),
				rule("the way of a task sees no feature", ArchitectureRules::theWayOfATaskSeesNoFeature,
						"WorkThatUsesGroup"),
				rule("texts stand alone", ArchitectureRules::textsStandAlone, "TextThatUsesLimit"),
				rule("public signatures name no internal type", ArchitectureRules::publicSignaturesNameNoInternalType,
						"InspectorThatNamesInternal.limit"),
				rule("public signatures show no technology", ArchitectureRules::publicSignaturesShowNoTechnology,
						"InspectorThatShowsRedis", "InspectorThatShowsProtobuf"),
				rule("nobody uses annotation", ArchitectureRules::nobodyUsesAnnotation, "HandlerThatUsesAnnotation"),
				rule("only assembly takes the broker", ArchitectureRules::onlyAssemblyTakesTheBroker,
						"ClientThatTakesTheBroker.<init>", "ClientThatTakesTheBroker.broker"),
				rule("nobody is given callbacks later", ArchitectureRules::nobodyIsGivenCallbacksLater,
						"LoopThatIsGivenACallback.whenIdle"),
				rule("only stores know Spring Data Redis", ArchitectureRules::onlyStoresKnowSpringDataRedis,
						"LoopThatUsesSpringDataRedis"),
				rule("only stores know protobuf", ArchitectureRules::onlyStoresKnowProtobuf, "HandlerThatUsesProtobuf",
						"GeneratedAtTheWrongPlace"),
				rule("nobody knows a driver but what is for it alone", ArchitectureRules::nobodyKnowsADriver,
						"StoreThatUsesDriver"),
				rule("only those listed read private fields", ArchitectureRules::onlyThoseListedReadPrivateFields,
						"StoreThatReadsPrivateFields"),
				rule("nobody knows Micrometer", ArchitectureRules::nobodyKnowsMicrometer, "ServerThatUsesMicrometer"),
				rule("nobody knows Boot", ArchitectureRules::nobodyKnowsBoot, "ServerThatUsesBoot"),
				rule("generated messages lie beside the scripts",
						ArchitectureRules::generatedMessagesLieBesideTheScripts, "GeneratedAtTheWrongPlace"),
				rule("time comes from a clock", ArchitectureRules::timeComesFromAClock, "LoopThatReadsInstant",
						"LoopThatReadsMillis", "LoopThatMakesClock", "LoopThatMakesDate"),
				rule("only text makes loggers", ArchitectureRules::onlyTextMakesLoggers, "LoopThatLogsAsItPleases"),
				rule("nothing goes over all queues", ArchitectureRules::nothingGoesOverAllQueues,
						"LoopThatGoesOverAllQueues"),
				rule("loops reach queues through lanes only", ArchitectureRules::loopsReachQueuesThroughLanesOnly,
						"LoopThatGoesPastTheLanes.runOnce", "LoopThatGoesPastTheLanes.stopped",
						"LoopThatGoesPastTheLanes.extend"),
				rule("nobody sleeps", ArchitectureRules::nobodySleeps, "LoopThatSleeps", "LoopThatSleepsByUnit"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void libraryKeepsRule(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		rule.apply(new ArchitectureRules("io.asynq")).check(library);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rules")
	void ruleFindsViolatingFixture(String name, Function<ArchitectureRules, ArchRule> rule, List<String> offenders) {
		List<String> found = rule.apply(new ArchitectureRules(FIXTURES))
			.evaluate(fixtures)
			.getFailureReport()
			.getDetails();
		assertThat(offenders).allSatisfy((offender) -> assertThat(found).anyMatch((line) -> line.contains(offender)));
		assertThat(found).noneMatch((line) -> line.contains("<" + FIXTURES + ".internal.lifecycle.PlainLoop"));
		assertThat(found).noneMatch((line) -> line.contains("ClientThatTakesTheBroker.create"));
		assertThat(found).noneMatch((line) -> line.contains("LoopThatIsGivenACallback.run"));
		assertThat(found).noneMatch((line) -> line.contains(".PlainStore"));
		assertThat(found).noneMatch((line) -> line.contains("notForUsers"));
		assertThat(found).noneMatch((line) -> line.contains("PlainMethod"));
		assertThat(found).noneMatch((line) -> line.contains("LoopThatGoesPastTheLanes.starting"));
	}

	@Test
	void noTestSleeps() {
		assertThat(tests).isNotEmpty();
		new ArchitectureRules("io.asynq").nobodySleeps().check(tests);
	}

	@Test
	void importsWholeLibrary() {
		assertThat(library.contain("io.asynq.AsynqClient")).isTrue();
		assertThat(library.contain("io.asynq.internal.broker.RedisBroker")).isTrue();
		assertThat(library.contain(FIXTURES + ".internal.limit.PlainLimit")).isFalse();
		assertThat(tests.contain(getClass().getName())).isTrue();
		assertThat(library.contain(TestRedis.class.getName())).isFalse();
		assertThat(tests.contain(TestRedis.class.getName())).isTrue();
	}

	private static boolean isTestSupport(Location location) {
		return location.contains("/proof/test-support/");
	}

	private static Arguments rule(String name, Function<ArchitectureRules, ArchRule> rule, String... offenders) {
		return arguments(name, rule, List.of(offenders));
	}

}
