import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.graalvm.visualvm.lib.jfluid.heap.ArrayItemValue;
import org.graalvm.visualvm.lib.jfluid.heap.FieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;
import org.graalvm.visualvm.lib.jfluid.heap.ObjectFieldValue;
import org.graalvm.visualvm.lib.jfluid.heap.Value;

/** Prints what VisualVM's parser reads of a Java heap dump, in lines of columns that tabs separate. */
final class ReadHprof {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        Map<String, Integer> kinds = new TreeMap<>();
        for (Object root : heap.getGCRoots()) kinds.merge(((GCRoot) root).getKind(), 1, Integer::sum);
        kinds.forEach((kind, count) -> System.out.println("roots\t" + kind + "\t" + count));
        for (Object each : heap.getAllClasses()) {
            JavaClass type = (JavaClass) each;
            if (type.getInstancesCount() == 0) continue;
            long bytes = 0, retained = 0;
            List<?> instances = type.getInstances();
            for (Object one : instances) {
                bytes += ((Instance) one).getSize();
                retained += ((Instance) one).getRetainedSize();
            }
            System.out.println("class\t" + type.getName() + "\t" + instances.size() + "\t" + bytes + "\t" + retained);
            Instance first = (Instance) instances.get(0);
            for (Object value : first.getFieldValues()) {
                FieldValue field = (FieldValue) value;
                if (!(field instanceof ObjectFieldValue)) continue;
                Instance target = ((ObjectFieldValue) field).getInstance();
                String name = target == null ? "null" : target.getJavaClass().getName();
                System.out.println("field\t" + type.getName() + "\t" + field.getField().getName() + "\t" + name);
            }
            for (Object value : first.getReferences()) {
                Instance source = ((Value) value).getDefiningInstance();
                String kind = value instanceof ArrayItemValue ? "element" : "field";
                if (source != null) System.out.println("holder\t" + type.getName() + "\t" + kind + "\t" + source.getJavaClass().getName());
            }
        }
    }
}
