! Allocatables of the host are changed by an internal procedure that a procedure pointer points to.
program p
 integer, allocatable :: q(:)
 character(:), allocatable :: c
 procedure(i), pointer :: pp
 allocate(q(3)); q=2; c = 'ab'
 pp => i
 call run(pp)
 print *, q, size(q), c, len(c)
contains
 subroutine i
  q = [q, 7]
  c = c // 'xyz'
 end subroutine
 subroutine run(f)
  procedure(i) :: f
  call f
 end subroutine
end program
