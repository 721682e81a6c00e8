package io.asynq.spring.boot.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Lets each test method begin without tasks, whatever the start of the application or
 * another test has enqueued.
 */
final class AsynqTestExecutionListener extends AbstractTestExecutionListener {

	/** After the injection of dependencies, before transactions and scripts. */
	private static final int ORDER = 2200;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		if (TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), AutoConfigureAsynq.class)) {
			test.getApplicationContext().getBean(TestAsynq.class).reset();
		}
	}

}
