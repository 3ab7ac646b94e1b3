! What small programs take for granted: lower bounds, named loops, internal files, INQUIRE, assumed-shape characters.
program r
  implicit none
  integer :: i, j, n, ios
  character(20) :: line, name
  integer, allocatable :: grid(:,:)
  real :: v(3)
  logical :: found
  n = 3
  allocate (grid(0:n, -1:1), stat=ios)
  print *, ios, lbound(grid), ubound(grid), size(grid, dim=2)
  do j = -1, 1
    grid(:, j) = [(i*j, i=0,n)]
  end do
  outer: do i = 0, n
    do j = -1, 1
      if (grid(i, j) == 2) exit outer
      if (j == 0) cycle outer
    end do
  end do outer
  print *, i, j
  found = any(grid == 3)
  if (found .and. .not. all(grid(:,0) /= 0)) print *, 'ok', maxloc(grid), minloc(grid, dim=1)
  write (line, '(i0,1x,f0.2,1x,l1)') 42, 3.14159, found
  read (line, *) i, v(1), found
  print *, trim(line), i, v(1), found
  deallocate (grid)
  print *, allocated(grid)
  v = [(sqrt(real(i)), i=1,9,4)]
  print '(3(f6.3,:,","))', v
  print '(a,*(i3))', 'list:', (i, i=1,n)
  select case (n*(n-1))
  case (6); print *, 'six'
  case default; print *, 'other'
  end select
  name = 'tmp'
  inquire (file=trim(name)//'_none', exist=found)
  print *, found, trim(name)//repeat('-', 3)//name(1:1)
  call sub(v(::2), [character(4) :: 'a', 'bcd'])
contains
  subroutine sub(x, names)
    real, intent(inout) :: x(:)
    character(*), intent(in) :: names(:)
    character(len(names)) :: copy(size(names))
    x = x + 1
    copy = names(size(names):1:-1)
    print '(2f7.3,3a)', x, copy, '|'
  end subroutine
end program
