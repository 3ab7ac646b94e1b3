function else :: // end if
then 'a' 10 end ; go ( end if
integer if ) if to integer end
then function ) // // 10 function end 10 10
end ) end to program else 1
else to then 10 1 to forall
= then 10 10 // ( 'a' then to * if
end .and. ( call print to integer case 2.5 real
; real 'a' 1 ) where = * case )
10 1
call & 2.5 while real 1 .and. if then
integer = case 2.5 else ; call integer end
if case to 10 where & forall 2.5 2.5 * 'a'
call 10 where real if forall if function , call
if end while * 1 // 10 print forall real 1
& print 'a' do function real 'a'
.and. then call
(
else while ) :: ::
if = real :: to , & else
program to , * integer 'a' print
function ) else if = else )
) do call forall 10 = , 1 do else integer
'a' .and. 10 2.5 function else * program go
// print while end real & program case function program
where to :: :: :: :: then call // :: end
if ( real =
2.5 .and.
then
10
to then function
.and. do if program ( .and.
else // , function 'a' .and. 'a'
then then program call real call call 1
else then
while , call forall * =
do ( function function go 'a' else * to
case
1 // program if * program , go 'a'
'a' case )
to case go 2.5 // ) .and. where where
where ) forall ::
( go call 'a'
do
call , ( * .and.
real where ; while 'a' function
if ) then ) call (
( call .and. & .and. forall
call
'a' where // if forall print then ; :: where *
call & = integer
2.5 if where function while :: real :: while function if
= else do
10 & real
else .and. forall .and. call print ; 'a' else to to
do do where
then go while ; else integer program ( forall program (
,
1 go ) case
2.5 , to integer forall else end ; while 'a'
print 10 forall & go integer forall ;
else to else go go do program real case
.and. do case
= else call
while then to end 2.5 print go go to call
& to
)
, end case then
real to do case & ; if real 2.5
go .and. go ( * , real go to where
go function ) * go & & function
; to & function (
else integer then :: real 2.5 if print
integer if ( print
where then & case else
print 'a' else , & else function real ) while function
:: &
= print forall ) = * integer go
2.5 integer ( 'a' 2.5 if while
do 2.5 to real real *
::
go .and. 1 go function if
; where
& then if ,
end & case = ,
forall integer program
forall function , :: else to ; go 10 call *
if , end where * =
& if , function do // if
if .and. program ) if
program then real do 2.5
integer ; ; , .and. else end go *
function then = ,
=
; 1 // 1
case ( 1 real go print = , 'a'
,
do
while
to ( go call ) ; real then print
integer print call to forall & :: go 1 * (
2.5 ( forall &
else :: 'a' end forall else do if // while &
integer = end if print
program go print 1 .and. ) *
end real = = ,
do , 'a' function 2.5 to 2.5 )
function
( 'a' = do 2.5
if call , go // ( )
case do if , forall if else :: 10
::
1
// ) if 10 function
program case else print & * where & .and.
case 2.5 while call else 1 while
// else end forall forall * & go // integer
else ; go case go 10 forall forall where
forall
10 where & * print function * // ) if do
