package io.asynq.test.interleaving;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Loads the classes of a package again so that every access to shared state of some of
 * them is a step: their locks, atomics and threads are replaced, and each use of a
 * volatile field is preceded by a step.
 */
public final class StepClassLoader extends ClassLoader {

	private static final Map<String, String> STAND_INS = Map
		.of(ReentrantLock.class, StepLock.class, AtomicInteger.class, StepInteger.class, AtomicReference.class,
				StepReference.class, CustomizableThreadFactory.class, StepThreadFactory.class)
		.entrySet()
		.stream()
		.collect(Collectors.toMap((entry) -> Type.getInternalName(entry.getKey()),
				(entry) -> Type.getInternalName(entry.getValue())));

	private static final String STEPS = Type.getInternalName(Interleaving.class);

	private final String prefix;

	private final Set<String> stepwise;

	/**
	 * @param stepwise simple names of top-level classes; all others of the package are
	 * only loaded again, since classes of one package share what is private to it
	 */
	public StepClassLoader(Package loaded, Set<String> stepwise) {
		super(StepClassLoader.class.getClassLoader());
		this.prefix = loaded.getName() + ".";
		this.stepwise = stepwise;
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		synchronized (getClassLoadingLock(name)) {
			Class<?> found = findLoadedClass(name);
			if (found != null) {
				return found;
			}
			return (name.startsWith(this.prefix) && name.indexOf('.', this.prefix.length()) < 0) ? define(name)
					: super.loadClass(name, resolve);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (in == null) {
				throw new ClassNotFoundException(name);
			}
			if (!this.stepwise.contains(name.substring(this.prefix.length()).split("\\$")[0])) {
				byte[] plain = in.readAllBytes();
				return defineClass(name, plain, 0, plain.length);
			}
			ClassWriter writer = new ClassWriter(0);
			new ClassReader(in)
				.accept(new ClassRemapper(new Steps(writer), new SimpleRemapper(Opcodes.ASM9, STAND_INS)), 0);
			byte[] bytes = writer.toByteArray();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	private static final class Steps extends ClassVisitor {

		private final Set<String> shared = new HashSet<>();

		Steps(ClassVisitor next) {
			super(Opcodes.ASM9, next);
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
			if ((access & Opcodes.ACC_VOLATILE) != 0) {
				this.shared.add(name);
			}
			return super.visitField(access, name, descriptor, signature, value);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
			// Nobody else sees an object while it is constructed
			return name.startsWith("<") ? next : new MethodVisitor(Opcodes.ASM9, next) {

				@Override
				public void visitFieldInsn(int opcode, String owner, String field, String type) {
					if (Steps.this.shared.contains(field)) {
						super.visitMethodInsn(Opcodes.INVOKESTATIC, STEPS, "step", "()V", false);
					}
					super.visitFieldInsn(opcode, owner, field, type);
				}

				@Override
				public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
					boolean time = owner.equals("java/lang/System") && method.equals("nanoTime");
					super.visitMethodInsn(opcode, time ? STEPS : owner, method, type, isInterface);
				}
			};
		}

	}

}
