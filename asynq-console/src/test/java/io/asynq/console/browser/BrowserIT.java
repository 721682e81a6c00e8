package io.asynq.console.browser;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Chromium opens the console of a real application, on what Java and a live Go server
 * have written. Each test is a script in {@code src/test/browser}. The last ones change
 * what the first ones look at.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrowserIT {

	private static OpenShop shop;

	@BeforeAll
	static void start() throws InterruptedException {
		shop = new OpenShop("one");
		shop.tell(() -> shop.run("picture"));
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	/** The picture is taken before there is anything else. */
	@Test
	@Order(1)
	void showsTheOverviewForThePicture() {
		assertThat(OpenShop.PICTURES.resolve("console.png")).exists();
	}

	@Test
	@Order(2)
	void everyScreenOpensWithDataInEveryLook() {
		shop.run("screens");
	}

	@Test
	@Order(3)
	void everythingIsReachedByKeyboard() {
		shop.run("keyboard");
	}

	@Test
	@Order(4)
	void hostileNamesAndPayloadsAreText() {
		shop.run("hostile");
	}

	@Test
	@Order(5)
	void listsStayAsTheyAreAndNumbersFollow() {
		shop.run("live");
	}

	@Test
	@Order(6)
	void everyActionChangesRedis() {
		shop.run("actions");
	}

	@Test
	@Order(7)
	void losesNothingWhileRedisIsAway() {
		shop.run("away");
	}

}
