package io.asynq.spring.boot.autoconfigure;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Where all transactions are reactive, {@code asynq.client.after-commit} would silently
 * do nothing; Spring's transactions may be missing.
 */
final class AfterCommitCheck {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.ReactiveTransactionManager", AfterCommitCheck.class.getClassLoader());

	private AfterCommitCheck() {
	}

	static void refuseReactive(ListableBeanFactory beans) {
		if (PRESENT && has(beans, ReactiveTransactionManager.class) && !has(beans, PlatformTransactionManager.class)) {
			throw new InvalidAsynqPropertyException("asynq.client.after-commit", true,
					"All transactions of this application are reactive, and those cannot be seen by a client that"
							+ " blocks. Enqueue after the Mono or Flux of the transaction, or declare a"
							+ " PlatformTransactionManager.");
		}
	}

	private static boolean has(ListableBeanFactory beans, Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0;
	}

}
