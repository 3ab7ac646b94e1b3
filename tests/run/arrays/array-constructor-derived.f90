! Array constructors of a derived type: empty, nested, with loops.
program p
 type t
  integer :: k
 end type
 type(t), allocatable :: a(:)
 integer :: i,j
 a = [[t(1),t(2)],[t(3)]]
 print *, a%k
 a = [t ::]
 print *, size(a)
 a = [t :: t(5), [t(6), t(7)]]
 print *, a%k
 a = [((t(i*j), i=1,2), j=1,2)]
 print *, a%k
 a = [[(t(i), i=1,3)], t(9)]
 print *, a%k
end program
