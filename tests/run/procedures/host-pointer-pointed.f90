! A pointer of the host is changed by an internal procedure that a procedure pointer points to.
program p
 integer, pointer :: q(:)
 integer, target :: t(2) = [8,9]
 integer :: n = 0
 procedure(i), pointer :: pp
 allocate(q(3)); q=2
 pp => i
 call pp
 print *, q, n
 call run(pp)
 print *, q, size(q), n
contains
 subroutine i
  n = n+1
  if (n==1) then
  q = q+1
  else
  q => t
  end if
 end subroutine
 subroutine run(f)
  procedure(i) :: f
  call f
 end subroutine
end program
