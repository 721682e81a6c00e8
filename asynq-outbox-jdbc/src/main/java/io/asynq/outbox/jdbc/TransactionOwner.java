package io.asynq.outbox.jdbc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A synchronization, because these are suspended and resumed with their transaction,
 * while a resource of an outer one stays bound in an inner one of another manager.
 */
final class TransactionOwner implements TransactionSynchronization {

	private final String manager;

	private final Set<Object> resources;

	private boolean committed;

	private TransactionOwner(String manager, Set<Object> resources) {
		this.manager = manager;
		this.resources = resources;
	}

	/** {@code null} if the manager of the innermost transaction is not watched. */
	static @Nullable TransactionOwner present() {
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof TransactionOwner owner) {
				return owner;
			}
		}
		return null;
	}

	/** Some managers cannot tell when transactions begin. */
	static void watch(String name, Object manager) {
		if (manager instanceof PlatformTransactionManager && manager instanceof ConfigurableTransactionManager watchable
				&& watchable.getTransactionExecutionListeners().stream().noneMatch(Listener.class::isInstance)) {
			watchable.addListener(new Listener(name));
		}
	}

	/** The name of the manager's bean. */
	String manager() {
		return this.manager;
	}

	/** Whether the manager itself has bound a resource for this transaction. */
	boolean hasBound(@Nullable Object resource) {
		return this.resources.contains(resource);
	}

	boolean hasCommitted() {
		return this.committed;
	}

	/** Before all others, which may write rows. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void afterCommit() {
		this.committed = true;
	}

	/** Watches managers of parent contexts as well. */
	static final class Watch implements BeanPostProcessor, BeanFactoryAware {

		@Override
		public void setBeanFactory(BeanFactory factory) {
			if (factory instanceof HierarchicalBeanFactory child
					&& child.getParentBeanFactory() instanceof ListableBeanFactory parent) {
				BeanFactoryUtils.beansOfTypeIncludingAncestors(parent, PlatformTransactionManager.class)
					.forEach(TransactionOwner::watch);
			}
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			Object target = AopProxyUtils.getSingletonTarget(bean);
			watch(name, (target != null) ? target : bean);
			return bean;
		}

	}

	private static final class Listener implements TransactionExecutionListener {

		/** What was bound before a transaction begins. */
		private final ThreadLocal<Set<Object>> before = new ThreadLocal<>();

		private final String manager;

		Listener(String manager) {
			this.manager = manager;
		}

		@Override
		public void beforeBegin(TransactionExecution transaction) {
			this.before.set(bound());
		}

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			Set<Object> before = this.before.get();
			this.before.remove();
			// A savepoint is no transaction, and some managers have no synchronizations
			if (before != null && failure == null && transaction.isNewTransaction()
					&& TransactionSynchronizationManager.isSynchronizationActive()) {
				Set<Object> resources = bound();
				resources.removeAll(before);
				TransactionSynchronizationManager
					.registerSynchronization(new TransactionOwner(this.manager, resources));
			}
		}

		private static Set<Object> bound() {
			Set<Object> bound = Collections.newSetFromMap(new IdentityHashMap<>());
			bound.addAll(TransactionSynchronizationManager.getResourceMap().values());
			return bound;
		}

	}

}
