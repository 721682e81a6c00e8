package io.asynq.console.browser;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Chromium opens the console of real applications, on what Java and a live Go server have
 * written. Each test is a script in {@code src/test/browser}. The last ones change what
 * the first ones look at.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrowserIT {

	private static final Path LOGS = Repository.path("asynq-console/target/browser");

	private static final Path PICTURES = Repository.path("asynq-console/target/screenshots");

	// Its data must survive that its process is killed, which needs no wait for the disk
	private static final TestRedis redis = TestRedis.startOwn("appendonly yes", "appendfsync no");

	private static final JedisConnectionFactory connections = RedisExtension.connectionFactory(redis);

	private static GoSide go;

	private static Stage stage;

	private static ShopProcess open;

	@BeforeAll
	static void start() throws InterruptedException {
		Scripts.prepare();
		go = new GoSide(redis.uri(), LOGS.resolve("go.log"));
		stage = new Stage(redis.node(), go);
		open = ShopProcess.start(Kind.OPEN, redis.uri(), LOGS.resolve("open.log")).awaitReady();
		Story story = new Story(redis.node(), connections, go);
		story.startGo();
		story.tellOfWork();
		run("picture", url(open));
		story.tellOfTrouble();
	}

	@AfterAll
	static void stop() {
		for (AutoCloseable each : new AutoCloseable[] { open, stage, go, connections::destroy, redis::stop }) {
			try {
				if (each != null) {
					each.close();
				}
			}
			catch (Exception ex) {
				System.err.println("Not ended: " + ex);
			}
		}
	}

	/** The picture is taken before there is anything else. */
	@Test
	@Order(1)
	void showsTheOverviewForThePicture() {
		assertThat(PICTURES.resolve("console.png")).exists();
	}

	@Test
	@Order(2)
	void everyScreenOpensWithDataInEveryLook() {
		run("screens", url(open));
	}

	@Test
	@Order(2)
	void textsFollowTheLanguageAndLinesKeepTheirOrder() {
		run("texts", url(open));
	}

	@Test
	@Order(3)
	void nothingMovesAsDataArrivesAndNothingIsCut() {
		run("layout", url(open));
	}

	@Test
	@Order(9)
	void listsStayAsTheyAreAndNumbersFollow() {
		run("live", url(open));
	}

	@Test
	@Order(9)
	void whatWaitsForALimitStandsApartAndTodayIsNoMoreThanAllDays() {
		run("limits", url(open));
	}

	@Test
	@Order(10)
	void everyActionChangesRedis() {
		run("actions", url(open));
	}

	@Test
	@Order(3)
	void everythingIsReachedByKeyboard() {
		run("keyboard", url(open));
	}

	@Test
	@Order(4)
	void hostileNamesAndPayloadsAreText() {
		run("hostile", url(open));
	}

	@Test
	@Order(5)
	void manyBrowsersCostWhatOneCosts() {
		run("crowd", url(open));
	}

	@Test
	@Order(11)
	void losesNothingWhileRedisIsAway() {
		run("away", url(open));
	}

	@Test
	@Order(6)
	void worksInWebFlux() throws InterruptedException {
		try (ShopProcess reactive = ShopProcess.start(Kind.REACTIVE, redis.uri(), LOGS.resolve("reactive.log"))) {
			run("host", url(reactive.awaitReady()));
		}
	}

	@Test
	@Order(7)
	void asksWhoSomebodyIsAlsoBehindNginx() throws InterruptedException {
		try (ShopProcess guarded = ShopProcess.start(Kind.GUARDED, redis.uri(), LOGS.resolve("guarded.log"),
				"--server.forward-headers-strategy=framework");
				Nginx nginx = Nginx.start(LOGS.resolve("nginx"), guarded.awaitReady().port())) {
			run("users", url(guarded), Map.of("CONSOLE_TOKEN", ""));
			run("users", nginx.url(), Map.of("CONSOLE_TOKEN", ""));
		}
	}

	@Test
	@Order(8)
	void asksForReasonsAndKnowsPagesOfAnotherVersion() throws InterruptedException {
		Path log = LOGS.resolve("other-version.log");
		try (ShopProcess other = ShopProcess.start(Kind.OTHER_VERSION, redis.uri(), log,
				"--asynq.console.require-reason=true")) {
			run("reason", url(other.awaitReady()), Map.of("LOG", log.toString()));
			run("version", url(open), Map.of("OTHER_HOST", url(other)));
		}
	}

	private static void run(String script, String url) {
		run(script, url, Map.of());
	}

	private static void run(String script, String url, Map<String, String> more) {
		Map<String, String> environment = new HashMap<>(Map.of("CONSOLE_HOST", url, "STAGE", stage.url(), "SCREENSHOTS",
				PICTURES.toString(), "CONSOLE_TOKEN", ShopProcess.TOKEN));
		environment.putAll(more);
		Scripts.run(script, environment);
	}

	private static String url(ShopProcess shop) {
		return "http://127.0.0.1:" + shop.port();
	}

}
